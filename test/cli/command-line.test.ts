import { describe, expect, it, vi } from 'vitest';
import { runCli } from './run-cli.ts';

// Each test starts processes, and a busy machine takes seconds for one.
vi.setConfig({ testTimeout: 120_000 });

const commands = ['crd', 'run', 'get', 'describe', 'diagram'];

describe('the command line', () => {
  it('prints its version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it('lists its commands and exit codes on request, on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of commands) expect(stdout).toContain(`  ${command} `);
    expect(stdout).toContain('Exit codes: 0 yes, 1 no, 2 usage');
  });

  it.each(commands)('helps with %s, the examples first and the exit codes last', async (command) => {
    const { code, stdout } = await runCli(['help', command]);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    for (const line of lines.slice(0, 3)) expect(line).toMatch(new RegExp(`^  phasekeeper ${command}\\b`));
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'Exit codes: 0 yes, 1 no, 2 usage or bad input file, 3 could not ask, 4 time ran out, 130 interrupted.',
    );
  });

  it.each([
    [['gett'], "error: unknown command 'gett'\nhint: did you mean get?\n"],
    [[], 'Usage: phasekeeper'],
    [['get'], "error: missing required argument 'kind'\nhint: phasekeeper get --help\n"],
    [['--color'], "error: option '--color <when>' argument missing\nhint: phasekeeper --help\n"],
    [['crd', '--bogus'], "error: unknown option '--bogus'\nhint: phasekeeper crd --help\n"],
    [['get', 'np', '--wach'], "error: unknown option '--wach'\nhint: did you mean --watch?\n"],
    [['get', 'np', '-o', 'xml'], "error: option '-o, --output <format>' argument 'xml' is invalid."],
    [['get', 'np', 'a', '-A'], 'error: a name needs one namespace\nhint: take -n NAMESPACE instead of -A\n'],
    [['run', '--workers', '0'], 'It is not a whole number above 0.'],
    [['describe', 'np'], 'error: describe needs a name\nhint: phasekeeper get np\n'],
    [['diagram', '--write', '--check'], 'error: --output, --write and --check exclude each other'],
    [['crd', 'machines/none'], 'error: there is no file or folder machines/none'],
    [['crd', 'docs'], 'error: docs holds no definition'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('colours only where it is asked to', async () => {
    const plain = await runCli(['gett']);
    const forced = await runCli(['gett'], { env: { FORCE_COLOR: '1' } });
    const never = await runCli(['gett'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(forced.stderr).toContain('\u001B[31merror:\u001B[39m');
    expect(never.stderr).toBe(plain.stderr);
  });
});
