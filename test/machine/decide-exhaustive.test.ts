import { describe, expect, it } from 'vitest';
import { type AnyTransitionDefinition, type StateNode, transition } from 'xstate';
import type { NamedReference } from '../../src/definition/chart.ts';
import type { StateConfig } from '../../src/definition/machine-config.ts';
import { database } from './database.ts';
import { commandFor, decided, minuteMs, type Situation, standing, startMs } from './situation.ts';

type Labels = Readonly<Record<string, string>>;
type Value = string | { readonly [child: string]: Value };

const labelNames = ['ready', 'behind', 'drained', 'lost', 'broken', 'allowed'];
const commands = [undefined, 'retry', 'rollBack', 'restart', 'note'];
const leaves = database.chart.leaves;

/** Every way in which each label is yes or no. */
function allLabels(): readonly Labels[] {
  return Array.from({ length: 2 ** labelNames.length }, (_, bits) =>
    Object.fromEntries(labelNames.map((name, index) => [name, (bits >> index) % 2 === 1 ? 'yes' : 'no'])),
  );
}

function valueOf(leaf: string): Value {
  const [head = '', ...rest] = leaf.split('.');
  return rest.length === 0 ? head : { [head]: valueOf(rest.join('.')) };
}

function leafOf(value: Value): string {
  return typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([head, rest]) => `${head}.${leafOf(rest)}`)
        .join();
}

/** Guards as the fixture means them, worked out here once more. */
function judgeBy(facts: ReadonlySet<string>, labels: Labels) {
  return ({ name, params }: NamedReference): boolean => {
    if (name === 'not') return !judgeBy(facts, labels)({ name: String(params['guard']), params: {} });
    if (name === 'few') return true;
    return name === 'allowed' ? labels['allowed'] === 'yes' : facts.has(name);
  };
}

/** XState's own answer to one event: the leaf, or nothing where it takes no edge or one that changes nothing. */
function rawAnswer(leaf: string, type: string, judge: (guard: NamedReference) => boolean) {
  const snapshot = database.machine.resolveState({ value: valueOf(leaf), context: { judge } });
  const [chosen] = database.machine.getTransitionData(snapshot, { type }) as AnyTransitionDefinition[];
  if (chosen === undefined) return undefined;
  const [next] = transition(database.machine, snapshot, { type });
  const source = (chosen.source as StateNode).path.join('.');
  const to = leafOf(next.value as Value);
  const target = chosen.target?.[0]?.path.join('.');
  const changes = chosen.actions.some((action) =>
    ['accept', 'attempt', 'cause', 'doubt'].includes(String(Reflect.get(Object(action), 'type') ?? action)),
  );
  const ontoActive = target !== undefined && (to === leaf || leaf === target || leaf.startsWith(`${target}.`));
  return source !== leaf && ontoActive && !changes ? undefined : { source, to };
}

/** The levels of a leaf with what the author wrote there, the leaf first, the root last. */
function levelsOf(leaf: string): readonly { readonly path: string; readonly config: StateConfig }[] {
  const levels: { path: string; config: StateConfig }[] = [{ path: '', config: database.config }];
  for (const name of leaf.split('.')) {
    const above = levels[0];
    const config = above?.config.states?.[name];
    if (above === undefined || config === undefined) throw new Error(`no state ${leaf}`);
    levels.unshift({ path: above.path === '' ? name : `${above.path}.${name}`, config });
  }
  return levels;
}

/** The rules of order, in their simplest words, over XState's answers. */
function expected(
  leaf: string,
  facts: ReadonlySet<string>,
  { labels, command, due }: { labels: Labels; command: string | undefined; due: boolean },
): string {
  const judge = judgeBy(facts, labels);
  if (command !== undefined) return rawAnswer(leaf, command, judge)?.to ?? 'refuse';
  for (const { path, config } of levelsOf(leaf)) {
    for (const name of Object.keys(config.on ?? {}).filter((each) => facts.has(each))) {
      const answer = rawAnswer(leaf, name, judge);
      if (answer?.source === path) return answer.to;
    }
  }
  // All entered at one instant: the shortest first, which is the leaf's.
  for (const { path, config } of due ? levelsOf(leaf) : []) {
    for (const name of Object.keys(config.after ?? {})) {
      const answer = rawAnswer(leaf, `xstate.after.${name}.Database.${path}`, judge);
      if (answer !== undefined) return answer.to;
    }
  }
  return 'stay';
}

describe('decide', () => {
  it.each(leaves)('agrees with XState for every combination of facts, guards, command and time in %s', (leaf) => {
    const position = standing(database, leaf);
    for (const labels of allLabels()) {
      for (const command of commands) {
        for (const { due, changed } of [
          { due: false, changed: false },
          { due: false, changed: true },
          { due: true, changed: false },
        ]) {
          const facts = new Set(['cleared', ...labelNames.filter((name) => name !== 'allowed' && labels[name] === 'yes')]);
          if (changed) facts.add('specChanged');
          const situation: Situation = {
            labels,
            spec: { size: changed ? 2 : 1 },
            nowMs: due ? startMs + 60 * minuteMs : startMs,
            ...(command === undefined ? {} : { command: commandFor(position, command) }),
          };
          const decision = decided(database, position, situation);
          const actual = decision.type === 'move' ? (decision.edge.leaf ?? leaf) : decision.type;
          const wanted = expected(leaf, facts, { labels, command, due });
          if (actual !== wanted)
            expect.fail(`${leaf} ${JSON.stringify({ labels, command, due, changed })}: ${actual} instead of ${wanted}`);
        }
      }
    }
  });

  it.each(leaves)('answers everything with one of the four in %s', (leaf) => {
    const position = standing(database, leaf);
    const answers = new Set(['move', 'stay', 'refuse', 'fault']);
    const words = ['yes', 'no', 'unknown', 'throws'];
    let count = 0;
    for (const command of [...commands, 'explode']) {
      for (const one of ['ready', 'behind', 'drained', 'lost', 'broken', 'allowed', 'slow', 'doubt']) {
        for (const other of ['ready', 'behind', 'broken', 'allowed']) {
          for (const [first, second] of words.flatMap((word) => words.map((another) => [word, another] as const))) {
            const decision = decided(database, position, {
              labels: { [one]: first, [other]: second },
              nowMs: startMs + 60 * minuteMs,
              ...(command === undefined ? {} : { command: commandFor(position, command) }),
            });
            if (!answers.has(decision.type)) expect.fail(JSON.stringify(decision));
            // What fails, or is not known, moves nothing by itself.
            if (decision.type === 'move') expect({ [one]: first, [other]: second }[decision.edge.trigger.name] ?? 'yes').toBe('yes');
            count++;
          }
        }
      }
    }
    expect(count).toBe(6 * 8 * 4 * 16);
  });

  it('is pure: the same question has the same answer, and asking changes nothing', () => {
    for (const leaf of leaves) {
      const position = Object.freeze(standing(database, leaf));
      const situation = { labels: { ready: 'yes', behind: 'yes' }, spec: { size: 2 } };
      expect(decided(database, position, situation)).toEqual(decided(database, position, situation));
    }
  });
});
