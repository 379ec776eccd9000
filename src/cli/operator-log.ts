import { pino, stdTimeFunctions } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** JSON lines on stdout: `timestamp`, `level` as a word, `message`, and who says it as OpenTelemetry names that. */
export function operatorLog({
  level,
  instance,
  version,
}: {
  readonly level: LogLevel;
  readonly instance: string;
  readonly version: string;
}) {
  // Lines that come while one is being written go out together: a system call for each would cost more than what it tells.
  const stdout = pino.destination({ dest: 1, sync: false });
  process.once('exit', () => stdout.flushSync());
  const options = {
    level,
    messageKey: 'message',
    base: { 'service.name': 'phasekeeper', 'service.version': version, 'service.instance.id': instance },
    timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"timestamp"'),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stdout);
}
