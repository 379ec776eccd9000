// Started by parent-watch.ts with a pipe as its standard input. While the pipe is open it only keeps books (`+pid`, `-pid`, `+/folder`,
// `-/folder`, one a line); when the pipe closes, its parent is gone, however that ended, and what is still in the books is ended and removed.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const pids = new Set<number>();
const folders = new Set<string>();

// A Ctrl-C goes to the whole group of the terminal; this one has to outlive it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function keepBook<Entry>(book: Set<Entry>, isAdded: boolean, entry: Entry): void {
  if (isAdded) book.add(entry);
  else book.delete(entry);
}

for await (const line of createInterface({ input: process.stdin })) {
  const isAdded = line.startsWith('+');
  const entry = line.slice(1);
  if (entry.startsWith('/')) keepBook(folders, isAdded, entry);
  else keepBook(pids, isAdded, Number(entry));
}

for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
