import type { Chart } from '../definition/chart.ts';
import { nodeAt, phaseOf } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { legalMoves } from '../graph/legal-moves.ts';
import { celText, celTexts } from './cel.ts';
import { hasFields } from './has-fields.ts';
import type { ValidationRule } from './json-schema-props.ts';
import { rootDeletionTargets } from './root-deletion-targets.ts';

const counts = 'self.lifecycle.sequence == oldSelf.lifecycle.sequence + 1';
const keepsSequence = 'self.lifecycle.sequence == oldSelf.lifecycle.sequence';
const stays = `self.lifecycle.state == oldSelf.lifecycle.state && ${keepsSequence}`;

/**
 * The CEL rules on `status`: what makes the API server refuse a transition that the machine does not declare.
 *
 * They hold because `state` and `sequence` are required and a status that is taken away comes back as the schema's default, at
 * sequence 0, which the rule of the count refuses. `phase` is tied to `state`, so a rule on it alone cannot be bypassed.
 * Guards and deadlines are not in them: the API server cannot know the facts.
 */
export function legalityRules(lifecycle: Lifecycle): readonly ValidationRule[] {
  return [
    {
      rule: "self.lifecycle.state == self.phase || self.lifecycle.state.startsWith(self.phase + '.')",
      message: 'phase is the head of lifecycle.state, they change together',
    },
    {
      rule: `${counts} || (${stays})`,
      message: 'a transition adds exactly 1 to lifecycle.sequence; without one, lifecycle.state and lifecycle.sequence stay as they are',
    },
    ...sourceRules(lifecycle),
    ...recordRules(lifecycle),
  ];
}

/** One rule for each state that the machine has or migrates, and one for all others. */
function sourceRules({ chart, vocabulary }: Lifecycle): readonly ValidationRule[] {
  const ends = rootDeletionTargets(chart);
  const migrated = migrationTargets(chart, vocabulary.migrations).map(([from, to]) => sourceRule(from, [...new Set([to, ...ends])]));
  const known = [...chart.leaves, ...Object.keys(vocabulary.migrations)];
  return [
    ...[...legalMoves(chart)].map(([from, targets]) => sourceRule(from, targets)),
    ...migrated,
    {
      rule: `oldSelf.lifecycle.state in ${celTexts(known)} || (${stays}) || self.lifecycle.state in ${celTexts(ends)}`,
      message: `this machine does not know the state the object is in; legal from there: ${listed(ends)}`,
    },
  ];
}

/** The phase is judged too: whoever writes it alone is told the same. */
function sourceRule(from: string, targets: readonly string[]): ValidationRule {
  const phases = [...new Set([phaseOf(from), ...targets.map(phaseOf)])];
  const moves = `self.lifecycle.state in ${celTexts(targets)}`;
  return {
    rule: `oldSelf.lifecycle.state != ${celText(from)} || (((${stays}) || ${moves}) && self.phase in ${celTexts(phases)})`,
    message: `legal from ${from}: ${listed(targets)}`,
  };
}

function migrationTargets(chart: Chart, migrations: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  const leaves = new Set(chart.leaves);
  return Object.entries(migrations).flatMap(([from, to]) => (leaves.has(from) ? [] : [[from, nodeAt(chart, to).initialLeaf] as const]));
}

/**
 * What keeps the record whole. Without `entered` an object counts as never seen and the operator starts it anew: so it does not
 * disappear, nothing is accepted before it, and a memory from before it does not count.
 */
function recordRules({ chart, vocabulary }: Lifecycle): readonly ValidationRule[] {
  const memoryStays = 'has(self.lifecycle.memory) && self.lifecycle.memory == oldSelf.lifecycle.memory';
  return [
    {
      rule: `has(self.lifecycle.entered) || (!has(oldSelf.lifecycle.entered) && ${keepsSequence})`,
      message: 'lifecycle.entered does not disappear, and every transition writes it',
    },
    {
      rule: '!has(self.lifecycle.entered) || self.lifecycle.state in self.lifecycle.entered',
      message: 'lifecycle.entered says when lifecycle.state was entered',
    },
    ...(chart.accepts ? ['accepted', 'stable'] : []).map((field) => ({
      rule: `has(self.lifecycle.entered) || !has(self.lifecycle.${field}) || has(oldSelf.lifecycle.${field})`,
      message: `lifecycle.${field} is not recorded before lifecycle.entered`,
    })),
    ...(hasFields(vocabulary.memory)
      ? [
          {
            rule: `${counts} || !has(oldSelf.lifecycle.memory) || !has(oldSelf.lifecycle.entered) || (${memoryStays})`,
            message: 'lifecycle.memory changes only with a transition',
          },
        ]
      : []),
  ];
}

function listed(states: readonly string[]): string {
  return states.length === 0 ? 'nothing' : states.join(', ');
}
