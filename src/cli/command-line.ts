import { basename } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { addCommands } from './add-commands.ts';
import { errorText } from './error-text.ts';
import { type ExitCode, exitCode, exitCodeHelp } from './exit-code.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { packageVersion } from './package-version.ts';
import type { ColorWhen } from './paint.ts';
import { processTerminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface GlobalFlags {
  readonly color: ColorWhen;
  readonly debug: boolean;
}

/** Runs one command line to its end. Errors are shown on stderr. @param argv as `process.argv` */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  leaveQuietlyWithoutReader();
  const result: { code: ExitCode } = { code: exitCode.yes };
  const program = programFor(calledAs(argv[1] ?? ''));
  addCommands(program, {
    terminal: () => processTerminal(program.opts<GlobalFlags>().color),
    ended: (code) => {
      result.code = code;
    },
  });
  try {
    await program.parseAsync(argv);
    return result.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.yes : exitCode.usage;
    const { color, debug } = program.opts<GlobalFlags>();
    const terminal = processTerminal(color);
    terminal.say(errorText(error, { paint: terminal.paintSaid, debug }));
    return exitCodeOf(error);
  }
}

function programFor(name: string): Command {
  const program = new Command(name);
  const color = new Option('--color <when>', 'colour the output').choices(['auto', 'always', 'never']).default('auto');
  return program
    .description('A state machine for every Kubernetes kind.')
    .usage('<command> [flags]')
    .version(packageVersion(), '-V, --version', 'print the version')
    .addOption(color)
    .option('--debug', 'show the stack of an error', false)
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(usageText(program, text)) })
    .exitOverride()
    .addHelpText('after', `\n${exitCodeHelp}`);
}

/** Commander's own complaint in our form: its suggestion becomes a hint. */
function usageText(program: Command, text: string): string {
  const [, what = text.trim(), suggestion] = /^error: ([^\n]*)(?:\n\(Did you mean (.*)\?\))?\s*$/.exec(text) ?? [];
  const { color, debug } = program.opts<GlobalFlags>();
  const command = program.commands.find((each) => each.name() === program.args[0]);
  const help = command === undefined ? `${program.name()} --help` : `${program.name()} ${command.name()} --help`;
  const hint = suggestion === undefined ? help : `did you mean ${suggestion.replace(/^one of /, '')}?`;
  return `${errorText(new UsageError(what, { hint }), { paint: processTerminal(color).paintSaid, debug })}\n`;
}

/** The name to show in usage: as a plugin it is called through kubectl. */
function calledAs(script: string): string {
  return basename(script).startsWith('kubectl-phasekeeper') ? 'kubectl phasekeeper' : 'phasekeeper';
}

/** `phasekeeper get | head` ends without a word when head has seen enough. */
function leaveQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.yes);
    throw error;
  });
}
