import type { FaultList } from './fault-list.ts';
import type { KnownWords } from './known-words.ts';

/** What reading and checking a config needs to know, and where it reports. */
export interface Reading {
  readonly words: KnownWords;
  readonly faults: FaultList;
}
