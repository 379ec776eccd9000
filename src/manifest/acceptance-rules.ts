import type { Lifecycle } from '../definition/lifecycle.ts';
import { nodeAt } from '../definition/chart-walk.ts';
import { acceptingMoves } from '../graph/accepting-moves.ts';
import { celText, celTexts } from './cel.ts';
import type { ValidationRule } from './json-schema-props.ts';

const now = 'self.status.lifecycle';
const before = 'oldSelf.status.lifecycle';

/**
 * The CEL rules on the object that keep `accepted` and `stable` honest; none for a machine that never accepts.
 *
 * `accepted` changes only to the spec, and only with an edge that accepts: a steady phase must not be handed a spec that the
 * machine would first have moved for. A spec equal by value may take over its generation. Once, at sequence 0, it may be anything:
 * that is adoption. `stable` changes only in a steady phase, to `accepted` as it was or is. Neither disappears, but together with
 * a state that the machine no longer knows.
 */
export function acceptanceRules({ chart }: Lifecycle): readonly ValidationRule[] {
  if (!chart.accepts) return [];
  const known = `${before}.state in ${celTexts(chart.leaves)}`;
  return [
    ...['accepted', 'stable'].map((field) => ({
      rule: `has(${now}.${field}) || !has(${before}.${field}) || !(${known})`,
      message: `status.lifecycle.${field} does not disappear`,
    })),
    {
      rule: [
        `!has(${now}.accepted)`,
        `(has(${before}.accepted) && ${now}.accepted == ${before}.accepted)`,
        `(!has(${before}.accepted) && ${now}.sequence == 0)`,
        `(dyn(${now}.accepted.spec) == dyn(self.spec) && (${sameSpec} || ${acceptingMove(acceptingMoves(chart))}))`,
      ].join(' || '),
      message: `status.lifecycle.accepted becomes the spec by a transition that accepts (${acceptingWords(acceptingMoves(chart))}), else it stays`,
    },
    {
      rule: [
        `!has(${now}.stable)`,
        `(has(${before}.stable) && ${now}.stable == ${before}.stable)`,
        `(${steady(chart.leaves.filter((leaf) => nodeAt(chart, leaf).kstatus === 'Current'))} && (${becomes('self')} || ${becomes('oldSelf')}))`,
      ].join(' || '),
      message: 'status.lifecycle.stable becomes status.lifecycle.accepted in a steady phase, else it stays',
    },
  ];
}

const sameSpec = `(has(${before}.accepted) && ${now}.accepted.spec == ${before}.accepted.spec)`;

function becomes(self: 'self' | 'oldSelf'): string {
  const accepted = `${self}.status.lifecycle.accepted`;
  return `(has(${accepted}) && dyn(${now}.stable) == dyn(${accepted}))`;
}

function steady(leaves: readonly string[]): string {
  const states = celTexts(leaves);
  return `(${now}.sequence == 0 || ${now}.state in ${states} || ${before}.state in ${states})`;
}

function acceptingMove(moves: ReadonlyMap<string, readonly string[]>): string {
  const pairs = [...moves].map(([from, targets]) => `(${before}.state == ${celText(from)} && ${now}.state in ${celTexts(targets)})`);
  return `(${now}.sequence == ${before}.sequence + 1 && (${pairs.join(' || ')}))`;
}

function acceptingWords(moves: ReadonlyMap<string, readonly string[]>): string {
  return [...moves].map(([from, targets]) => `${from} to ${targets.join(' or ')}`).join(', ');
}
