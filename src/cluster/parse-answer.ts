import { messageOf } from '../failure/message-of.ts';
import { ConnectionError } from './connection-error.ts';

/**
 * The JSON of a successful answer. The API server has validated the object; its type is taken from the kind that was asked for.
 *
 * @param what method and path, for the error
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller's kind names the type
export function parseAnswer<T>(what: string, body: string): T {
  try {
    // Where data enters: the server answers with the kind that its URL names.
    return JSON.parse(body) as T;
  } catch (error) {
    throw new ConnectionError(`${what}: the answer is not JSON (${body.length} characters): ${messageOf(error)}`, {
      code: 'CONNECTION_GARBLED',
      data: { start: body.slice(0, 80) },
      cause: error,
    });
  }
}
