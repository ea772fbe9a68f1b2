import { UnavailableError } from '@tocsin/errors';

/** The publication of one caller. It settles once: with its last message or at its deadline, whichever comes first. */
export class PublishTicket {
  readonly settled: Promise<void>;
  /** By the clock of this process. */
  readonly deadlineAtMs: number;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  readonly #deadline: NodeJS.Timeout;
  #whenSettled: () => void = () => undefined;
  #outstanding: number;
  #refusal: Error | undefined;
  #live = true;

  /** `messages` and `deadlineMs` (real time) are 1 or more. */
  constructor(messages: number, deadlineMs: number) {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.settled = promise;
    this.#resolve = () => {
      resolve(undefined);
    };
    this.#reject = reject;
    this.#outstanding = messages;
    this.deadlineAtMs = Date.now() + deadlineMs;
    this.#deadline = setTimeout(() => {
      this.fail(new UnavailableError(`Kafka did not take the message within ${deadlineMs} ms.`));
    }, deadlineMs);
  }

  /** Whether the caller still waits. */
  get live(): boolean {
    return this.#live;
  }

  /** Calls `listener` when the caller has its answer; replaces an earlier listener. */
  whenSettled(listener: () => void): void {
    this.#whenSettled = listener;
  }

  /** One message was written. */
  delivered(): void {
    this.#outstanding -= 1;
    if (this.#outstanding > 0 || !this.#live) return;
    if (this.#refusal === undefined) this.#settle(this.#resolve);
    else this.fail(this.#refusal);
  }

  /** One message can never be written; the caller hears of it once the others are. */
  refused(error: Error): void {
    this.#refusal ??= error;
    this.delivered();
  }

  /** Rejects: nothing more is promised for any of the messages. */
  fail(error: Error): void {
    if (!this.#live) return;
    this.#settle(() => {
      this.#reject(error);
    });
  }

  #settle(answer: () => void): void {
    this.#live = false;
    clearTimeout(this.#deadline);
    answer();
    this.#whenSettled();
  }
}
