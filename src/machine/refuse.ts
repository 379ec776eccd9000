import type { Refusal } from './decision.ts';
import { instantText } from './instant-text.ts';
import type { Position } from './position.ts';

/** The position after a refusal: the command is recorded, so that it is refused once, and nothing else changes. */
export function refuse(position: Position, { command, message }: Refusal, nowMs: number): Position {
  const by = command.by === undefined ? {} : { by: command.by };
  return {
    ...position,
    lastCommand: { token: command.token, name: command.name, result: `refused: ${message}`, at: instantText(nowMs), ...by },
  };
}
