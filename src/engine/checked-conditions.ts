import type { Report } from '../definition/lifecycle.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

type Reported = NonNullable<Report['conditions']>;

/** These say where the machine stands; the engine alone writes them. */
const ours: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled']);
const statuses: ReadonlySet<string> = new Set(['True', 'False', 'Unknown']);
/** As `metav1.Condition` has it. */
const reasonShape = /^[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?$/;
const typeShape = /^[A-Za-z0-9]([-A-Za-z0-9_./]{0,314}[A-Za-z0-9])?$/;

/**
 * The conditions of a report, if all of them can be stored: one that the API server refuses would take every transition with it.
 * @throws PhasekeeperError REPORT_CONDITION, terminal, for the first that cannot
 */
export function checkedConditions(reported: Reported): Reported {
  const seen = new Set<string>();
  for (const { type, status, reason, message } of reported) {
    if (ours.has(type)) throw unfit(type, 'the engine keeps this one; give yours another type');
    if (seen.has(type)) throw unfit(type, 'it is reported twice');
    seen.add(type);
    if (!typeShape.test(type)) throw unfit(type, 'its type is a word of letters and digits, such as BackupReady');
    if (!statuses.has(status)) throw unfit(type, `its status is True, False or Unknown, not ${JSON.stringify(status)}`);
    if (!reasonShape.test(reason)) throw unfit(type, `its reason is one CamelCase word, not ${JSON.stringify(reason)}`);
    if (typeof message !== 'string') throw unfit(type, 'its message is a text');
  }
  return reported;
}

function unfit(type: string, why: string): PhasekeeperError {
  return new PhasekeeperError(`report: condition ${JSON.stringify(type)}: ${why}`, {
    code: 'REPORT_CONDITION',
    disposition: 'terminal',
    data: { type },
  });
}
