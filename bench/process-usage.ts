import { readFileSync, writeFileSync } from 'node:fs';

const ticksPerSecond = 100;

export interface Usage {
  /** User and system time since the process began, milliseconds; the kernel counts in steps of 10. */
  readonly cpuMs: number;
  /** The part of it spent in the kernel. */
  readonly systemMs: number;
  readonly rssMib: number;
  /** Highest since the last `resetPeak`. */
  readonly peakRssMib: number;
}

/** What a process has used, from /proc: Linux only. */
export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024;
  const ms = (ticks: number) => (ticks * 1_000) / ticksPerSecond;
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return { cpuMs: ms(user + system), systemMs: ms(system), rssMib: mib('VmRSS'), peakRssMib: mib('VmHWM') };
}

/** Starts the peak over. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
