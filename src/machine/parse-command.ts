import { cutText } from '../resource/cut-text.ts';
import type { CommandRequest } from './command-request.ts';

/** What is kept of a text that someone else wrote: the record has to stay small. */
const longestText = 128;
const shape = /^([A-Za-z][A-Za-z0-9]{0,62})\/(0|[1-9]\d{0,14})\/([A-Za-z0-9][A-Za-z0-9._-]{0,62})$/;

/** Who sent a command and why, from the annotations beside it. */
export interface CommandSender {
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Reads the command annotation: `<command>/<sequence>/<token>`, such as `retry/7/abc`.
 *
 * It never fails: an annotation of another shape comes back with `malformed`, which `decide` refuses.
 */
export function parseCommand(annotation: string, sender: CommandSender = {}): CommandRequest {
  const raw = cut(annotation);
  const about = {
    ...(sender.by === undefined ? {} : { by: cut(sender.by) }),
    ...(sender.reason === undefined ? {} : { reason: cut(sender.reason) }),
  };
  const [, name, sequence, token] = shape.exec(annotation) ?? [];
  if (name === undefined || sequence === undefined || token === undefined) {
    return { raw, name: '', sequence: -1, token: raw, ...about, malformed: 'expected <command>/<sequence>/<token>, such as retry/7/abc' };
  }
  return { raw, name, sequence: Number(sequence), token, ...about };
}

function cut(text: string): string {
  return cutText(text, longestText);
}
