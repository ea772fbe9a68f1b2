import { UnavailableError } from '@tocsin/core';

/** One call of `publish`. It settles once: with the last of its messages, or at its deadline. */
export class Publication {
  readonly settled: Promise<void>;
  /** By the wall clock. */
  readonly deadlineAtMs: number;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  readonly #deadline: NodeJS.Timeout;
  #listener: () => void = () => undefined;
  #outstanding: number;
  #refusal: Error | undefined;
  #isAwaited = true;

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
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Calls `listener` when the publication settles. Replaces an earlier listener. */
  onSettled(listener: () => void): void {
    this.#listener = listener;
  }

  /** One message was written. */
  written(): void {
    this.#outstanding -= 1;
    if (this.#outstanding > 0 || !this.#isAwaited) return;
    if (this.#refusal === undefined) this.#settle(this.#resolve);
    else this.fail(this.#refusal);
  }

  /** One message can never be written. The publication rejects once the other messages are written. */
  refuse(error: Error): void {
    this.#refusal ??= error;
    this.written();
  }

  /** Rejects now. Messages that are not written yet may or may not be. */
  fail(error: Error): void {
    if (!this.#isAwaited) return;
    this.#settle(() => {
      this.#reject(error);
    });
  }

  #settle(answer: () => void): void {
    this.#isAwaited = false;
    clearTimeout(this.#deadline);
    answer();
    this.#listener();
  }
}
