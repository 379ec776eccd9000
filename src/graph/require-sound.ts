import type { Lifecycle } from '../definition/lifecycle.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { findings } from './findings.ts';
import { lifecycleTitle } from './lifecycle-title.ts';

/** Lets a machine without findings pass. @throws PhasekeeperError UNSOUND_MACHINE, fatal, with every finding in its data. */
export function requireSound(lifecycle: Lifecycle): void {
  const found = findings(lifecycle);
  if (found.length === 0) return;
  const lines = found.map((finding) => `  ${finding.code}: ${finding.message} (${finding.hint})`);
  throw new PhasekeeperError(`the machine of ${lifecycleTitle(lifecycle)} is not sound\n${lines.join('\n')}`, {
    code: 'UNSOUND_MACHINE',
    disposition: 'fatal',
    data: { kind: lifecycle.vocabulary.kind, findings: found },
  });
}
