import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';
import type { Terminal } from './terminal.ts';

/** Contexts that are a developer's own cluster. */
const developmentContexts = [/^kind-/, /^k3d-/, /^minikube$/, /^phasekeeper-/];

export interface ContextChoice {
  /** As given with `--context`; undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  readonly server: string;
  readonly yes: boolean;
}

/** Whether to ask before writing there: a context chosen by name that is not a development one. */
export function needsConfirmation({ context, yes }: Pick<ContextChoice, 'context' | 'yes'>): boolean {
  return context !== undefined && !yes && !developmentContexts.some((pattern) => pattern.test(context));
}

/** Asks where a person can answer. @returns false when the answer is no. @throws UsageError without a terminal */
export async function confirmContext(choice: ContextChoice, terminal: Terminal): Promise<boolean> {
  if (!needsConfirmation(choice)) return true;
  const what = `context ${choice.context} (${choice.server}) is not a development cluster`;
  if (!terminal.canAsk) throw new UsageError(`${what}, and there is no terminal to ask at`, { hint: 'repeat with --yes' });
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${what}. Run the operator there? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
