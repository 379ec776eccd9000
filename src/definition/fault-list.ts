import type { DefinitionFault, DefinitionFaultCode } from './definition-error.ts';

/** Collects what is wrong, so that one run tells all of it. */
export class FaultList {
  readonly faults: DefinitionFault[] = [];

  add(code: DefinitionFaultCode, place: string, words: Pick<DefinitionFault, 'reason' | 'instead'>): void {
    this.faults.push({ code, place, reason: words.reason, instead: words.instead });
  }
}
