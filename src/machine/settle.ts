import { isDeepStrictEqual } from 'node:util';
import { nodeAt } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { Position } from './position.ts';

/**
 * The position once nothing is left to assert: a spec equal by value takes over its generation, and in a Current state the accepted
 * spec is the stable one. The same position when there is nothing to change.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the position's state is none of the machine's
 */
export function settle(
  lifecycle: Lifecycle,
  position: Position,
  asked: { readonly spec: Readonly<Record<string, unknown>>; readonly generation: number },
): Position {
  const { accepted: before, stable } = position;
  if (before === undefined) return position;
  const renewed = before.generation !== asked.generation && isDeepStrictEqual(before.spec, asked.spec);
  const accepted = renewed ? { generation: asked.generation, spec: before.spec } : before;
  const current = nodeAt(lifecycle.chart, position.state).kstatus === 'Current';
  const stabilizes = current && !isDeepStrictEqual(stable, accepted);
  return renewed || stabilizes ? { ...position, accepted, stable: stabilizes ? accepted : stable } : position;
}
