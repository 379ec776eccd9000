import type { Position } from '../machine/position.ts';
import { asJson, composeStatus } from './compose-status.ts';
import { evaluate } from './evaluate.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';

/** Judges an edge by the status it would store. @returns the problem that forbids it, undefined when all invariants hold */
export function violatedInvariant(run: Run, from: string, next: Position): Problem | undefined {
  const invariants = Object.entries(run.scene.lifecycle.vocabulary.invariants);
  if (invariants.length === 0) return undefined;
  const there = run.at(next);
  const after = composeStatus(there, undefined).status;
  const view = { ...there.view(), transition: { from, to: next.state, before: asJson(run.object.status), after } };
  for (const [name, holds] of invariants) {
    const judged = evaluate({ place: `invariant ${name}`, object: run.name }, () => holds(view));
    if (judged.type === 'value' && judged.value) continue;
    const why = judged.type === 'value' ? 'would not hold' : `cannot be judged: ${judged.what} is unknown`;
    return { severity: 'stalled', reason: 'InvariantViolated', message: `${from} -> ${next.state} is not taken: invariant ${name} ${why}` };
  }
  return undefined;
}
