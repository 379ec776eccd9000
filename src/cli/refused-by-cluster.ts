import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { CommandError } from './command-error.ts';
import { exitCode } from './exit-code.ts';

/** What the user was doing, for the words about it. */
export interface Asked {
  readonly server: string;
  /** Where the server's address came from. */
  readonly source: string;
  /** What makes a kind known to the server, by the resource's path in URLs. */
  readonly crdHint: (path: string) => string;
}

/** What the API server refused, as an error that says what to type; other errors as they are. */
export function refusedByCluster(error: unknown, asked: Asked): unknown {
  if (!(error instanceof PhasekeeperError)) return error;
  const { status, request } = error.data;
  const facts = [`server ${asked.server}`, asked.source];
  const path = typeof request === 'string' ? request.replace(/^\w+ /, '') : '';
  const couldNotAsk = (message: string, hint: string | undefined) =>
    new CommandError(message, { exitCode: exitCode.couldNotAsk, code: error.code, facts, hint, cause: error });
  if (status === 401) return couldNotAsk('the API server does not know who you are (401)', error.hint);
  if (status === 403) return forbidden(error, couldNotAsk);
  if (status === 404 && !('details' in error.data && hasName(error.data['details']))) {
    return couldNotAsk(`the API server does not know ${resourceOf(path)}: its CRD is missing (404)`, asked.crdHint(path));
  }
  return typeof status === 'number' && status >= 500 ? couldNotAsk(error.message, error.hint) : error;
}

function forbidden(error: PhasekeeperError, couldNotAsk: (message: string, hint: string | undefined) => CommandError): CommandError {
  const said = messageOf(error);
  const [, user, verb, resource, group, namespace] =
    /User "([^"]*)" cannot (\w+) resource "([^"]*)" in API group "([^"]*)"(?: in the namespace "([^"]*)")?/.exec(said) ?? [];
  if (verb === undefined || resource === undefined) return couldNotAsk(`${said} (403)`, error.hint);
  const [plural = resource, subresource] = resource.split('/');
  const target = group === undefined || group === '' ? plural : `${plural}.${group}`;
  const where = namespace === undefined ? '' : ` -n ${namespace}`;
  const sub = subresource === undefined ? '' : ` --subresource=${subresource}`;
  return couldNotAsk(
    `${user} may not ${verb} ${target}${subresource === undefined ? '' : `/${subresource}`} (403)`,
    `kubectl auth can-i ${verb} ${target}${sub}${where}   (a role needs the verb ${verb} on it)`,
  );
}

/** `nodepools.ack.alibabacloud.com` of `/apis/ack.alibabacloud.com/v1/namespaces/a/nodepools`. */
function resourceOf(path: string): string {
  const [, group, resource] = /^\/apis\/([^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)/.exec(path) ?? [];
  return group === undefined || resource === undefined ? path : `${resource}.${group}`;
}

function hasName(details: unknown): boolean {
  return typeof details === 'object' && details !== null && 'name' in details;
}
