import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** What can be wrong with a definition. */
export type DefinitionFaultCode =
  | 'WRONG_SHAPE'
  | 'NOT_JSON'
  | 'INLINE_FUNCTION'
  | 'REJECTED_CONSTRUCT'
  | 'NOT_SUPPORTED'
  | 'UNKNOWN_KEY'
  | 'UNKNOWN_NAME'
  | 'UNKNOWN_TARGET'
  | 'MISPLACED_NAME'
  | 'INVALID_NAME'
  | 'RESERVED_NAME'
  | 'NAME_COLLISION'
  | 'PARAMS_MISMATCH'
  | 'NO_INITIAL'
  | 'NO_KSTATUS'
  | 'NO_TARGET'
  | 'EMPTY_EDGE'
  | 'ENDLESS_FACT'
  | 'NUMERIC_DELAY'
  | 'DELAY_READS_TIME'
  | 'DEAD_END'
  | 'DESTRUCTIVE_START'
  | 'NO_ADOPT'
  | 'OWNER_SCOPE'
  | 'VERSION_NOT_SERVED'
  | 'NO_DEFAULT';

/** One thing that is wrong with a definition. */
export interface DefinitionFault {
  readonly code: DefinitionFaultCode;
  /** `NodePool.states.ScalingUp.on.nodesReady[0].target`. */
  readonly place: string;
  /** What is wrong and why it is refused. */
  readonly reason: string;
  /** What to write instead. */
  readonly instead: string;
}

/** A vocabulary or config that cannot become a lifecycle. Lists every fault; its code is the first one's. */
export class DefinitionError extends PhasekeeperError {
  override readonly name = 'DefinitionError';
  readonly faults: readonly DefinitionFault[];

  constructor(kind: string, faults: readonly DefinitionFault[]) {
    const lines = faults.map(({ place, reason, instead }) => `  ${place}: ${reason}\n    instead: ${instead}`);
    super([`lifecycle ${kind} has ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}:`, ...lines].join('\n'), {
      code: faults[0]?.code ?? 'WRONG_SHAPE',
      disposition: 'fatal',
      data: { kind, faults },
    });
    this.faults = faults;
  }
}
