import type { Clock, Scheduled } from '../clock/clock.ts';
import type { ServerTime } from '../clock/server-time.ts';
import type { AnyProbe } from '../definition/lifecycle.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { ObjectKey } from '../resource/object-key.ts';
import type { Log } from '../cluster/log.ts';

interface Answer {
  readonly input: string;
  /** Server time: an answer asked before the active leaf was entered does not count. */
  readonly askedMs: number;
  /** Monotonic instant: its age does not change with what is thought of the server's clock. */
  readonly bornMs: number;
  readonly value: unknown;
  /** The question timed out, was refused or its answer did not fit the schema. */
  readonly failed: boolean;
}

interface Question {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly name: string;
  readonly probe: AnyProbe;
  readonly input: unknown;
  /** Server time at which the active leaf was entered: older answers do not count. */
  readonly enteredMs: number;
}

export interface ProbeRunnerOptions {
  readonly clock: Clock;
  readonly time: ServerTime;
  readonly log: Log;
  /** An answer came or got too old: the object is due. */
  readonly onAnswer: (key: ObjectKey) => void;
}

/** A question that failed may be asked again after this, milliseconds, or after the maximum age where that is shorter. */
const failedRetryMs = 10_000;

/**
 * Asks probes in the background and keeps their answers. An answer belongs to its input; it is unknown when it is older than the
 * probe's maximum age, was asked before the active leaf was entered, failed, or is not there yet.
 *
 * The object is due when an answer comes and again when it gets too old: whoever still reads it then, has it asked anew.
 */
export class ProbeRunner {
  readonly #options: ProbeRunnerOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, AbortController>();
  readonly #aging = new Map<string, Scheduled>();

  constructor(options: ProbeRunnerOptions) {
    this.#options = options;
  }

  /** The fresh answer. @throws UnknownSignal when there is none; the question is then under way */
  read(question: Question): unknown {
    const id = `${question.uid}/${question.name}`;
    const input = JSON.stringify(question.input) ?? '';
    const answer = this.#answers.get(id);
    const fresh =
      answer !== undefined && answer.input === input && answer.askedMs >= question.enteredMs && this.#leftMs(answer, question.probe) >= 0;
    if (!fresh && !this.#asking.has(id)) void this.#ask(id, input, question);
    if (!fresh || answer.failed) throw new UnknownSignal(`probe ${question.name}`);
    return answer.value;
  }

  /** Ends the questions of an object that is gone and forgets its answers. */
  forget(uid: string): void {
    this.#end((id) => id.startsWith(`${uid}/`));
    for (const id of this.#answers.keys()) if (id.startsWith(`${uid}/`)) this.#answers.delete(id);
  }

  /** Ends all questions. */
  stop(): void {
    this.#end(() => true);
  }

  /** What is ended leaves no answer and wakes nobody. */
  #end(which: (id: string) => boolean): void {
    for (const [id, timer] of this.#aging) if (which(id) && this.#aging.delete(id)) timer.cancel();
    for (const [id, controller] of this.#asking) if (which(id) && this.#asking.delete(id)) controller.abort();
  }

  async #ask(id: string, input: string, question: Question): Promise<void> {
    const { key, name, probe } = question;
    const controller = new AbortController();
    this.#asking.set(id, controller);
    const askedMs = this.#options.time.nowMs();
    const bornMs = this.#options.clock.monotonicMs();
    const timer = this.#options.clock.schedule(probe.timeout.toMillis(), () => controller.abort());
    const cut = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(timedOut(question)), { once: true });
    });
    let answer: Answer;
    try {
      const value = probe.answer.parse(await Promise.race([probe.ask(question.input, controller.signal), cut]));
      answer = { input, askedMs, bornMs, value, failed: false };
    } catch (error) {
      answer = { input, askedMs, bornMs, value: undefined, failed: true };
      if (this.#asking.get(id) === controller) this.#options.log.warn({ key, probe: name, err: error }, 'probe failed');
    }
    timer.cancel();
    if (this.#asking.get(id) !== controller) return;
    this.#asking.delete(id);
    this.#answers.set(id, answer);
    this.#wakeWhenOld(id, answer, question);
    this.#options.onAnswer(key);
  }

  #wakeWhenOld(id: string, answer: Answer, question: Question): void {
    this.#aging.get(id)?.cancel();
    const wake = () => {
      this.#aging.delete(id);
      // A timer may be early; whoever is woken then still finds the answer fresh, and nobody would wake him again.
      if (this.#leftMs(answer, question.probe) >= 0) this.#wakeWhenOld(id, answer, question);
      else this.#options.onAnswer(question.key);
    };
    this.#aging.set(id, this.#options.clock.schedule(Math.max(1, this.#leftMs(answer, question.probe) + 1), wake));
  }

  /** How long an answer still counts, milliseconds; negative once it is too old. */
  #leftMs(answer: Answer, probe: AnyProbe): number {
    return answer.bornMs + lifeMs(answer, probe) - this.#options.clock.monotonicMs();
  }
}

/** How long an answer counts, milliseconds. */
function lifeMs({ failed }: Answer, probe: AnyProbe): number {
  const maxAgeMs = probe.maxAge.toMillis();
  return failed ? Math.min(maxAgeMs, failedRetryMs) : maxAgeMs;
}

function timedOut({ key, name, probe }: Question): PhasekeeperError {
  const limit = `${probe.timeout.toMillis()} ms`;
  return new PhasekeeperError(`probe ${name} of ${key} gave no answer within ${limit}`, {
    code: 'PROBE_TIMEOUT',
    disposition: 'retry',
    data: { probe: name, key },
  });
}
