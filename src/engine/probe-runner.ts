import type { Clock } from '../clock/clock.ts';
import type { ServerTime } from '../clock/server-time.ts';
import type { AnyProbe } from '../definition/lifecycle.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import type { ObjectKey } from '../resource/object-key.ts';
import type { Log } from '../cluster/log.ts';

interface Answer {
  readonly input: string;
  readonly askedMs: number;
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
  /** An answer came: the object is due. */
  readonly onAnswer: (key: ObjectKey) => void;
}

/**
 * Asks probes in the background and keeps their answers. An answer belongs to its input; it is unknown when it is older than the
 * probe's maximum age, was asked before the active leaf was entered, failed, or is not there yet.
 */
export class ProbeRunner {
  readonly #options: ProbeRunnerOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, AbortController>();

  constructor(options: ProbeRunnerOptions) {
    this.#options = options;
  }

  /** The fresh answer. @throws UnknownSignal when there is none; the question is then under way */
  read(question: Question): unknown {
    const id = `${question.uid}/${question.name}`;
    const input = JSON.stringify(question.input) ?? '';
    const answer = this.#answers.get(id);
    const nowMs = this.#options.time.nowMs();
    const fresh =
      answer !== undefined &&
      answer.input === input &&
      answer.askedMs >= question.enteredMs &&
      nowMs - answer.askedMs <= question.probe.maxAge.toMillis();
    if (!fresh && !this.#asking.has(id)) void this.#ask(id, input, question);
    if (!fresh || answer.failed) throw new UnknownSignal(`probe ${question.name}`);
    return answer.value;
  }

  /** Ends the questions of an object that is gone and forgets its answers. */
  forget(uid: string): void {
    for (const [id, controller] of this.#asking) if (id.startsWith(`${uid}/`)) controller.abort();
    for (const id of this.#answers.keys()) if (id.startsWith(`${uid}/`)) this.#answers.delete(id);
  }

  /** Ends all questions. */
  stop(): void {
    for (const controller of this.#asking.values()) controller.abort();
  }

  async #ask(id: string, input: string, { key, name, probe, input: asked }: Question): Promise<void> {
    const controller = new AbortController();
    this.#asking.set(id, controller);
    const askedMs = this.#options.time.nowMs();
    const timer = this.#options.clock.schedule(probe.timeout.toMillis(), () => controller.abort(new Error('timed out')));
    const cut = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(new Error(`probe ${name} timed out or was ended`)), { once: true });
    });
    try {
      const value = probe.answer.parse(await Promise.race([probe.ask(asked, controller.signal), cut]));
      this.#answers.set(id, { input, askedMs, value, failed: false });
    } catch (error) {
      this.#answers.set(id, { input, askedMs, value: undefined, failed: true });
      this.#options.log.warn({ key, probe: name, err: error }, 'probe failed');
    } finally {
      timer.cancel();
      this.#asking.delete(id);
      this.#options.onAnswer(key);
    }
  }
}
