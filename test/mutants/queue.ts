import type { Mutant } from './mutant.ts';

export const queueMutants = [
  {
    behaviour: 'B09',
    file: 'src/queue/backoff.ts',
    find: 'options.firstMs * 2 ** (failures - 1)',
    replace: 'options.firstMs',
    test: 'test/queue/work-queue.test.ts',
    why: 'a poison object is tried every 100 ms for ever',
  },
  {
    behaviour: 'B11',
    file: 'src/queue/work-queue.ts',
    find: 'if (this.#busy.has(key)) {',
    replace: 'if (this.#waiting.has(key)) {',
    test: 'test/queue/work-queue.test.ts',
    why: 'two workers reconcile one object at once',
  },
] satisfies readonly Mutant[];
