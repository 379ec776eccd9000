import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import type { AnyView } from '../../src/definition/view.ts';
import { advance } from '../../src/machine/advance.ts';
import type { CommandRequest } from '../../src/machine/command-request.ts';
import type { Decision, Move } from '../../src/machine/decision.ts';
import { decide } from '../../src/machine/decide.ts';
import type { Observation } from '../../src/machine/observation.ts';
import type { Position } from '../../src/machine/position.ts';
import { restore } from '../../src/machine/restore.ts';
import { timedLevels } from '../../src/machine/state-plan.ts';

/** 2026-01-01T00:00:00Z. */
export const startMs = Date.UTC(2026, 0, 1);
export const minuteMs = 60_000;

/** What a test says about the world; everything else is unremarkable. */
export interface Situation {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly dependents?: AnyView['dependents'];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deleted?: boolean;
  readonly nowMs?: number;
  readonly refused?: string;
  readonly command?: CommandRequest;
}

/** An observation of an object named `demo` at a position. */
export function seen(lifecycle: Lifecycle, position: Position, situation: Situation = {}): Observation {
  const spec = situation.spec ?? { size: 1 };
  return {
    view: {
      object: {
        name: 'demo',
        uid: 'uid-1',
        resourceVersion: '1',
        labels: situation.labels ?? {},
        annotations: situation.annotations ?? {},
        ...(situation.deleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      },
      spec,
      accepted: position.accepted?.spec ?? spec,
      stable: position.stable?.spec,
      memory: position.memory,
      dependents: situation.dependents ?? {},
      watches: {},
      probes: {},
    },
    nowMs: situation.nowMs ?? startMs,
    generation: 4,
    name: `${lifecycle.kind.kind} demo`,
    ...(situation.refused === undefined ? {} : { refused: situation.refused }),
    ...(situation.command === undefined ? {} : { command: situation.command }),
  };
}

/** An object that has stood in a state since `startMs`, with everything accepted. */
export function standing(lifecycle: Lifecycle, state: string, changes: Partial<Position> = {}): Position {
  const start = restore(lifecycle, undefined);
  if (start.type !== 'absent') throw new Error('nothing stored is absent');
  return {
    ...start.position,
    state,
    sequence: 5,
    enteredMs: Object.fromEntries(timedLevels(lifecycle, state).map((path) => [path, startMs])),
    accepted: { generation: 3, spec: { size: 1 } },
    recorded: true,
    ...changes,
  };
}

/** The decision about a position in a situation. */
export function decided(lifecycle: Lifecycle, position: Position, situation: Situation = {}): Decision {
  return decide(lifecycle, position, seen(lifecycle, position, situation));
}

/** A decision that has to be a move. */
export function moved(decision: Decision): Move {
  if (decision.type !== 'move') throw new Error(`expected a move: ${JSON.stringify(decision)}`);
  return decision;
}

/** The position after the move that a situation leads to. */
export function followed(lifecycle: Lifecycle, position: Position, situation: Situation = {}): Position {
  const { view, nowMs, generation } = seen(lifecycle, position, situation);
  return advance(lifecycle, position, moved(decided(lifecycle, position, situation)), { nowMs, spec: view.spec, generation, by: 'op-1' });
}

/** The leaf a decision leads to, or its type. */
export function outcome(decision: Decision): string {
  return decision.type === 'move' ? `-> ${decision.edge.leaf ?? '(acts)'}` : decision.type;
}

/** A well-formed command for a position. */
export function commandFor(position: Position, name: string, changes: Partial<CommandRequest> = {}): CommandRequest {
  return { raw: `${name}/${position.sequence}/t1`, name, sequence: position.sequence, token: 't1', ...changes };
}
