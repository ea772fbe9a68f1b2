/** The event loop of this process, as the limit sees it. */
export interface EventLoop {
  /** Milliseconds that only count up. */
  now(): number;
  /** Milliseconds of them in which the loop waited for something to do. */
  idleMs(): number;
  /** Calls back once the present turn of the loop is over. */
  whenTurnEnds(ended: () => void): void;
}

const nodeEventLoop: EventLoop = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  whenTurnEnds: (ended) => void setImmediate(ended),
};

/** The longest turn of a loop that was not busy: a burst of requests is then accepted as a whole. */
const BURST_TURN_MS = 400;
/** The longest turn of a busy loop by default. */
const BUSY_TURN_MS = 20;
/** Refusals by a rate may make a busy turn longer, by this many times its limit at most. */
const REFUSING_TURNS = 4;
/** How long the loop is watched before it counts as busy or not. */
const WINDOW_MS = 500;
/** A busy loop had something to do in this part of the window. */
const BUSY = 0.95;

/**
 * Says when a turn of the event loop has lasted so long that new requests are to be refused. What arrives during a turn waits in
 * the kernel until its end, outside of all queues that have a bound, so turns have to be short (F3).
 */
export class EventLoopLimit {
  readonly #loop: EventLoop;
  readonly #busyTurnMs: number;
  #window: { readonly startedAtMs: number; readonly idleMs: number };
  #busy = false;
  #turnStartedAtMs: number | undefined;
  /** When the last request began, whether it was refused by its rate, and what such refusals took of this turn, in milliseconds. */
  #last = { beganAtMs: 0, isRefusedByRate: false };
  #refusingMs = 0;

  /** `busyTurnMs` is the longest turn of a busy loop in which new requests begin: the rest goes to requests that began before. */
  constructor({ busyTurnMs = BUSY_TURN_MS, loop = nodeEventLoop }: { busyTurnMs?: number; loop?: EventLoop } = {}) {
    this.#busyTurnMs = busyTurnMs;
    this.#loop = loop;
    this.#window = { startedAtMs: loop.now(), idleMs: loop.idleMs() };
  }

  /**
   * Whether the present turn has lasted too long: more than 400 ms, or more than `busyTurnMs` once the loop has been busy for
   * half a second. A part of the time that refusals by a rate took does not count. Ask as a request begins.
   */
  isExceeded(): boolean {
    const now = this.#loop.now();
    this.#turnStartedAtMs ??= this.#beginTurn(now);
    if (this.#last.isRefusedByRate) this.#refusingMs += now - Math.max(this.#last.beganAtMs, this.#turnStartedAtMs);
    this.#last = { beganAtMs: now, isRefusedByRate: false };
    const refusing = Math.min(this.#refusingMs, REFUSING_TURNS * this.#busyTurnMs);
    const limit = this.#busy ? this.#busyTurnMs + refusing : Math.max(this.#busyTurnMs, BURST_TURN_MS);
    return now - this.#turnStartedAtMs > limit;
  }

  /**
   * Says that the request that began last was refused because its caller is over a rate. To refuse it for the load would take
   * as long, so the time until the next request is no reason to refuse others: a flood meets its rate before its neighbours
   * notice (F1).
   */
  refusedByRate(): void {
    this.#last.isRefusedByRate = true;
  }

  #beginTurn(now: number): number {
    this.#loop.whenTurnEnds(() => {
      this.#turnStartedAtMs = undefined;
      this.#refusingMs = 0;
    });
    const { startedAtMs, idleMs } = this.#window;
    if (now - startedAtMs >= WINDOW_MS) {
      this.#window = { startedAtMs: now, idleMs: this.#loop.idleMs() };
      this.#busy = this.#window.idleMs - idleMs < (1 - BUSY) * (now - startedAtMs);
    }
    return now;
  }
}
