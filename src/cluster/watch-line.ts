import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';

/** One line of a watch, `metav1.WatchEvent`. The object of an ERROR is a Status, that of a BOOKMARK carries metadata only. */
export type WatchLine<O> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: O }
  | { readonly type: 'BOOKMARK'; readonly object: Pick<KubernetesObject, 'metadata'> }
  | { readonly type: 'ERROR'; readonly object: unknown };

const longestQuoteChars = 120;

/** Throws `WATCH_LINE_UNREADABLE` (retry) for what is not a watch event. */
export function parseWatchLine<O extends KubernetesObject>(line: string): WatchLine<O> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw unreadable(line, messageOf(error));
  }
  if (isWatchLine<O>(parsed)) return parsed;
  throw unreadable(line, 'it has no known type, or no object with name and version');
}

/** Where data enters: the server has validated the object; only what the reflector itself relies on is checked. */
function isWatchLine<O extends KubernetesObject>(parsed: unknown): parsed is WatchLine<O> {
  if (!isRecord(parsed) || !isRecord(parsed['object'])) return false;
  const { type, object } = parsed;
  if (type === 'ERROR') return true;
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  if (!isRecord(metadata) || typeof metadata['resourceVersion'] !== 'string') return false;
  if (type === 'BOOKMARK') return true;
  return (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && typeof metadata['name'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function unreadable(line: string, why: string): PhasekeeperError {
  return new PhasekeeperError(`a line of the watch cannot be read: ${why}`, {
    code: 'WATCH_LINE_UNREADABLE',
    disposition: 'retry',
    data: { length: line.length, start: line.slice(0, longestQuoteChars) },
  });
}
