import { names } from '../definition/reserved-names.ts';
import { askCluster } from './ask-cluster.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { type Description, describeObject } from './description.ts';
import { describeText } from './describe-text.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { findKind } from './find-kind.ts';
import { gatherKnowledge } from './gather-knowledge.ts';
import { parseAddress } from './object-address.ts';
import { readNamed } from './read-objects.ts';
import { qualifiedName } from './served-kind.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface DescribeFlags extends ClusterFlags {
  readonly output?: 'json';
  readonly grouping: boolean;
}

/** `phasekeeper describe`: where objects are, why, and what comes next. */
export async function describeCommand(words: readonly string[], flags: DescribeFlags, terminal: Terminal): Promise<ExitCode> {
  const address = parseAddress(words);
  if (address.names.length === 0) throw new UsageError('describe needs a name', { hint: `phasekeeper get ${address.kind}` });
  return askCluster(flags, terminal, async (connection) => {
    const { cluster, config } = connection;
    const served = await findKind(cluster, address.kind);
    const namespace = served.kind.scope === 'Cluster' ? undefined : (flags.namespace ?? config.namespace ?? 'default');
    const knowledge = await gatherKnowledge(cluster, served.kind, terminal);
    const descriptions: Description[] = [];
    for (const name of address.names) {
      const object = (await readNamed({ connection, served, namespace, flags }, name))?.rows[0]?.object;
      if (object === undefined) {
        terminal.say(`error: ${qualifiedName(served)} "${name}" not found`);
        continue;
      }
      const insight = (await knowledge.observe(object))(object);
      descriptions.push(describeObject({ object, moves: knowledge.moves, ...insight, group: flags.grouping }));
    }
    const options = { paint: terminal.paint, isUnicode: terminal.isUnicode, nowMs: cluster.time.nowMs() };
    if (flags.output === 'json') terminal.out(jsonText(descriptions, address.names.length));
    else terminal.out(descriptions.map((description) => describeText(description, options)).join('\n'));
    for (const description of descriptions) sayCommand(description, served.singular, terminal);
    return descriptions.length === address.names.length ? exitCode.yes : exitCode.no;
  });
}

/** One asked for is one document, several are a list. */
function jsonText(descriptions: readonly Description[], asked: number): string {
  if (asked > 1)
    return `${JSON.stringify({ apiVersion: 'report.phasekeeper.dev/v1', kind: 'DescriptionList', items: descriptions }, undefined, 2)}\n`;
  return descriptions.map((description) => `${JSON.stringify(description, undefined, 2)}\n`).join('');
}

/** How to send what the object waits for, ready to paste. */
function sayCommand({ next, object, sequence }: Description, singular: string, { say, paintSaid }: Terminal): void {
  const command = next.find(({ event }) => event.startsWith('command '))?.event.slice('command '.length);
  if (command === undefined || sequence === undefined) return;
  const where = object.namespace === undefined ? '' : ` -n ${object.namespace}`;
  const group = object.apiVersion.slice(0, object.apiVersion.indexOf('/'));
  say(
    `${paintSaid('bold', 'hint:')} kubectl annotate ${singular}.${group} ${object.name}${where} --overwrite ${names.commandAnnotation}=${command}/${sequence}/$(date +%s)`,
  );
}
