import { UnavailableError } from '@tocsin/core';

interface CircuitBounds {
  /** How many failures in a row open the circuit, 1 or more. */
  readonly failures: number;
  /** How long the service must also have been silent, and the time between two tries of an open circuit. Real time. */
  readonly retryMs: number;
}

export interface CircuitOptions extends CircuitBounds {
  /** In the answer to callers, the first word of a sentence; `A service` by default. */
  readonly subject?: string;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Called when the circuit opens, with the last failure, and when it closes. */
  readonly onChange: (state: 'open' | 'closed', error?: unknown) => void;
}

/**
 * A circuit breaker, which spares callers the wait for a service that does not answer. It opens when `failures` requests in a
 * row, sent since the last answer, have failed and the service has answered no request for `retryMs`. While open, it lets one request
 * through each `retryMs` and refuses the others. Any answer closes it, whatever its status. So one process that answers keeps it
 * closed, however many others behind the same address are dead.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #now: () => number;
  #answeredAtMs: number;
  #failures = 0;
  /** When the next request may try; undefined while the circuit is closed. */
  #tryAtMs: number | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#answeredAtMs = this.#now();
  }

  /** @throws UnavailableError when a request would be refused now. */
  check(): void {
    if (this.#tryAtMs !== undefined && this.#now() < this.#tryAtMs)
      throw new UnavailableError(`${this.#options.subject ?? 'A service'} is not available. Please try again.`);
  }

  /**
   * Lets a request through, and returns when that was. While the circuit is open, this is the one try until `retryMs` later.
   *
   * @throws UnavailableError when the request is refused.
   */
  enter(): number {
    this.check();
    const nowMs = this.#now();
    if (this.#tryAtMs !== undefined) this.#tryAtMs = nowMs + this.#options.retryMs;
    return nowMs;
  }

  /** The service answered. */
  answered(): void {
    this.#answeredAtMs = this.#now();
    this.#failures = 0;
    if (this.#tryAtMs === undefined) return;
    this.#tryAtMs = undefined;
    this.#options.onChange('closed');
  }

  /** A request that entered at `sentAtMs` had no answer. Ignored where the service has answered another one since. */
  failed(sentAtMs: number, error: unknown): void {
    if (sentAtMs < this.#answeredAtMs) return;
    this.#failures += 1;
    const { failures, retryMs, onChange } = this.#options;
    const nowMs = this.#now();
    if (this.#tryAtMs !== undefined || this.#failures < failures || nowMs - this.#answeredAtMs < retryMs) return;
    this.#tryAtMs = nowMs + retryMs;
    onChange('open', error);
  }
}
