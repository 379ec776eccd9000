import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CrdFlags } from './crd-command.ts';
import type { DescribeFlags } from './describe-command.ts';
import type { DiagramFlags } from './diagram-command.ts';
import { type ExitCode, exitCodeHelp } from './exit-code.ts';
import { parseDuration } from './parse-duration.ts';
import type { GetFlags } from './read-objects.ts';
import type { RunFlags } from './run-command.ts';
import type { Terminal } from './terminal.ts';

/** What a command needs of the command line it stands in. */
export interface CommandHost {
  /** As the global flags say. */
  readonly terminal: () => Terminal;
  readonly ended: (code: ExitCode) => void;
}

const groups = Object.freeze({ write: 'Write a lifecycle:', look: 'Look after a cluster:', ship: 'Ship and run:' });

/** Declares every command. What a command needs is imported when it runs, so that the others start fast. */
export function addCommands(program: Command, host: CommandHost): void {
  addDiagram(program, host);
  addGet(program, host);
  addDescribe(program, host);
  addCrd(program, host);
  addRun(program, host);
}

function addGet(program: Command, { terminal, ended }: CommandHost): void {
  const command = add(program, 'get <kind> [names...]', {
    summary: 'objects with phase, deadline, what they wait for',
    group: groups.look,
    examples: [
      'phasekeeper get nodepools',
      'phasekeeper get np demo --watch --until Running --timeout 5m',
      'phasekeeper get np -A --phase Failed -o name',
    ],
  });
  withNamespace(withCluster(command))
    .option('-A, --all-namespaces', 'every namespace', false)
    .option('-l, --selector <labels>', 'only objects with these labels')
    .option('--phase <names>', 'only objects in one of these phases, separated by commas', (text: string) => text.split(','))
    .addOption(new Option('-o, --output <format>', 'instead of the table').choices(['wide', 'json', 'yaml', 'name']))
    .option('--no-headers', 'leave the head of the table out')
    .option('-w, --watch', 'go on with each change', false)
    .option('--until <phase>', 'watch until every selected object is in this phase')
    .option('--timeout <duration>', 'watch no longer than this', parseDuration)
    .action(async (kind: string, names: string[], flags: GetFlags) => {
      const { getCommand } = await import('./get-command.ts');
      ended(await getCommand([kind, ...names], flags, terminal()));
    });
}

function addDescribe(program: Command, { terminal, ended }: CommandHost): void {
  const command = add(program, 'describe <kind> [names...]', {
    summary: 'one object: where, why, what next',
    group: groups.look,
    examples: ['phasekeeper describe np/demo', 'phasekeeper describe nodepool demo gpu-a', 'phasekeeper describe np/demo -o json'],
  });
  withNamespace(withCluster(command))
    .addOption(new Option('-o, --output <format>', 'instead of text').choices(['json']))
    .option('--no-grouping', 'give each dependent a line of its own')
    .action(async (kind: string, names: string[], flags: DescribeFlags) => {
      const { describeCommand } = await import('./describe-command.ts');
      ended(await describeCommand([kind, ...names], flags, terminal()));
    });
}

function addDiagram(program: Command, { terminal, ended }: CommandHost): void {
  add(program, 'diagram [machines...]', {
    summary: 'draw machines',
    group: groups.write,
    examples: ['phasekeeper diagram machines/nodepool', 'phasekeeper diagram -o table', 'phasekeeper diagram --check'],
  })
    .addOption(new Option('-o, --output <format>', 'what to print (default: mermaid)').choices(['mermaid', 'table']))
    .option('--write', 'write visualizations/*.mmd', false)
    .option('--check', 'exit 1 where visualizations/*.mmd are not what --write would write', false)
    .action(async (machines: string[], flags: DiagramFlags) => {
      const { diagramCommand } = await import('./diagram-command.ts');
      ended(await diagramCommand(machines, flags, terminal()));
    });
}

function addCrd(program: Command, { terminal, ended }: CommandHost): void {
  add(program, 'crd [machines...]', {
    summary: 'print the CustomResourceDefinitions',
    group: groups.ship,
    examples: ['phasekeeper crd | kubectl apply -f -', 'phasekeeper crd machines/nodepool', 'phasekeeper crd machines/nodepool -o json'],
  })
    .addOption(new Option('-o, --output <format>', 'format').choices(['yaml', 'json']).default('yaml'))
    .action(async (machines: string[], flags: CrdFlags) => {
      const { crdCommand } = await import('./crd-command.ts');
      ended(await crdCommand(machines, flags, terminal()));
    });
}

function addRun(program: Command, { terminal, ended }: CommandHost): void {
  const command = add(program, 'run [machines...]', {
    summary: 'run the operator',
    group: groups.ship,
    examples: [
      'phasekeeper run',
      'phasekeeper run machines/nodepool --kubeconfig ./kubeconfig',
      'phasekeeper run --context kind-dev --log-level debug',
    ],
  });
  withCluster(command)
    .option('-n, --namespace <name>', 'only objects of this namespace')
    .option('--workers <count>', 'objects of one kind worked on at once (default: 10)', positiveInteger)
    .option('--no-events', 'write no Kubernetes Events')
    .addOption(new Option('--log-level <level>', 'what to log').choices(['debug', 'info', 'warn', 'error']).default('info'))
    .option('--instance <name>', 'name of this operator in histories and Events (default: the host name)')
    .option('--yes', 'do not ask before running against a context that is not a development cluster', false)
    .action(async (machines: string[], flags: RunFlags) => {
      const { runCommand } = await import('./run-command.ts');
      ended(await runCommand(machines, flags, terminal()));
    });
}

/** What help says about a command. */
interface CommandWords {
  readonly summary: string;
  readonly group: string;
  /** To be pasted, the first lines of its help. */
  readonly examples: readonly string[];
}

/** A command whose help starts with examples to paste. */
function add(program: Command, usage: string, { summary, group, examples }: CommandWords): Command {
  return program
    .command(usage)
    .description(summary)
    .helpGroup(group)
    .addHelpText('before', `${examples.map((line) => `  ${line.replace(/^phasekeeper/, program.name())}`).join('\n')}\n`)
    .addHelpText('after', `\n${exitCodeHelp}`);
}

/** The flags that say which cluster, and as whom. */
function withCluster(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'path of the kubeconfig (default: $KUBECONFIG, ~/.kube/config, the pod)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <name>', "cluster of the kubeconfig instead of the context's")
    .option('--user <name>', "user of the kubeconfig instead of the context's");
}

function withNamespace(command: Command): Command {
  return command
    .option('-n, --namespace <name>', "namespace (default: the context's)")
    .option('--request-timeout <duration>', 'how long an answer may take (default: 30s)', parseDuration);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It is not a whole number above 0.');
  return value;
}
