import { UnavailableError } from '@tocsin/errors';

interface CircuitBounds {
  /** How many requests in a row fail before callers are refused at once, 1 or more. */
  readonly failures: number;
  /** The shortest silence of the service before that, and the time between two tries from then on, in milliseconds of real time. */
  readonly retryMs: number;
}

export interface CircuitOptions extends CircuitBounds {
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
  /** Called when callers begin to be refused, with the failure that was the last drop, and when they are served again. */
  readonly onChange: (state: 'open' | 'closed', error?: unknown) => void;
}

/**
 * Spares callers the wait for a service that does not answer. It opens when `failures` requests in a row, sent since the last
 * answer, came to nothing and the service has answered nobody for `retryMs`. Open, it lets one request through each `retryMs`,
 * and refuses the others at once. Any answer closes it, whatever its status. One replica that answers keeps it closed, however
 * many others behind the same address are dead.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #now: () => number;
  #answeredAtMs: number;
  #failures = 0;
  /** From when on the next request may try; undefined while the circuit is closed. */
  #tryAtMs: number | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#answeredAtMs = this.#now();
  }

  /** @throws UnavailableError where a request would be refused now. */
  check(): void {
    if (this.#tryAtMs !== undefined && this.#now() < this.#tryAtMs)
      throw new UnavailableError('A service that is needed is away. Please try again.');
  }

  /**
   * Lets a request through and returns when that was. While the circuit is open, this takes the one place of the moment.
   *
   * @throws UnavailableError where it is refused: nothing was sent.
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

  /** A request that entered at `sentAtMs` had no answer. It says nothing about a service that has answered another one since. */
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
