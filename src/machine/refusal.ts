import type { Lifecycle } from '../definition/lifecycle.ts';
import type { CommandRequest } from './command-request.ts';
import type { Refusal, RefusalReason } from './decision.ts';
import type { Position } from './position.ts';

/** A command that is looked at. */
export interface Asked {
  readonly lifecycle: Lifecycle;
  readonly position: Position;
  readonly command: CommandRequest;
  /** The commands that the state has edges for. */
  readonly legal: readonly string[];
  /** `NodePool demo`. */
  readonly object: string;
}

/** The refusals of one command: the one that needs no guard, if it applies, and those that XState's answer may call for. */
export interface Refusals {
  readonly early: Refusal | undefined;
  readonly noEdge: () => Refusal;
  readonly guardedOff: (guards: readonly string[]) => Refusal;
}

/** Words every refusal of a command. */
export function refusalOf(asked: Asked): Refusals {
  return {
    early: earlyRefusal(asked),
    noEdge: () => noEdge(asked),
    guardedOff: (guards) => ({ ...refusal(asked, 'guardedOff', `${of(asked)} is held back by ${guards.join(', ')}`), guards }),
  };
}

function earlyRefusal(asked: Asked): Refusal | undefined {
  const { command, lifecycle, position, legal, object } = asked;
  if (command.malformed !== undefined)
    return refusal(asked, 'malformed', `${object} got a command that cannot be read, ${command.raw}: ${command.malformed}`);
  const { commands } = lifecycle.vocabulary;
  if (!Object.hasOwn(commands, command.name)) {
    return refusal(asked, 'unknownCommand', `${of(asked)} is unknown; ${object} has: ${listed(Object.keys(commands))}`);
  }
  if (command.sequence !== position.sequence) {
    const message = `${of(asked)} was meant for transition ${command.sequence}, the object is at ${position.sequence}`;
    return refusal(asked, 'outOfSequence', message);
  }
  return legal.includes(command.name) ? undefined : noEdge(asked);
}

function noEdge(asked: Asked): Refusal {
  return refusal(asked, 'noEdge', `${of(asked)} is not accepted in ${asked.position.state}; legal: ${listed(asked.legal)}`);
}

function refusal({ command, legal }: Asked, reason: RefusalReason, message: string): Refusal {
  return { type: 'refuse', command, reason, guards: [], legal, message };
}

function of({ command, object }: Asked): string {
  return `command ${command.name} to ${object}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
