/** The event loop of this process, as the limit sees it. */
export interface EventLoop {
  /** Milliseconds that only count up. */
  now(): number;
  /** Milliseconds of them in which the loop was idle. */
  idleMs(): number;
  /** Calls `ended` when the current turn of the loop is over. */
  whenTurnEnds(ended: () => void): void;
}

const nodeEventLoop: EventLoop = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  whenTurnEnds: (ended) => void setImmediate(ended),
};

/** The longest turn of a loop that is not busy. A burst of requests is then accepted as a whole. */
const MAX_TURN_MS = 400;
/** The longest turn of a busy loop, by default. */
const BUSY_TURN_MS = 20;
/** How long the loop is measured before it counts as busy or idle, and how long requests are counted. */
const WINDOW_MS = 500;
/** A busy loop works for more than this part of the window. */
const BUSY_RATIO = 0.95;
/** A quiet caller sent less than this part of the requests of the busiest caller. */
const QUIET_RATIO = 1 / 8;
/** Requests of quiet callers that a turn of a busy loop accepts after its limit. Many quiet callers together can be a flood. */
const MAX_LATE_REQUESTS = 50;

/**
 * Limits how long a turn of the event loop accepts new requests. Requests that arrive during a turn wait in the kernel until its end,
 * in no bounded queue, so turns have to be short (F3).
 */
export class EventLoopLimit {
  readonly #loop: EventLoop;
  readonly #busyTurnMs: number;
  readonly #requests = new RecentRequests();
  #window: { readonly startedAtMs: number; readonly idleMs: number };
  #isBusy = false;
  #turnStartedAtMs: number | undefined;
  #lateRequests = 0;

  /** `busyTurnMs` is how long a turn of a busy loop accepts new requests. The rest is for requests that began before. */
  constructor({ busyTurnMs = BUSY_TURN_MS, loop = nodeEventLoop }: { busyTurnMs?: number; loop?: EventLoop } = {}) {
    this.#busyTurnMs = busyTurnMs;
    this.#loop = loop;
    this.#window = { startedAtMs: loop.now(), idleMs: loop.idleMs() };
  }

  /** Called as each request begins. The first one of a turn begins the turn. */
  requestBegan(): void {
    this.#turnStartedAtMs ??= this.#beginTurn(this.#loop.now());
  }

  /**
   * Counts a request of `caller`. Whether it has to be refused because the turn has lasted more than 400 ms, or more than
   * `busyTurnMs` of a loop that was busy for half a second. In a busy loop, quiet callers, which sent less than an eighth of what
   * the busiest one sent, still have 50 requests within the 400 ms: callers that flood are refused first.
   */
  isExceededFor(caller: string): boolean {
    const isQuiet = this.count(caller) < QUIET_RATIO * this.#requests.max;
    if (this.#turnStartedAtMs === undefined) return false;
    const lastedMs = this.#loop.now() - this.#turnStartedAtMs;
    if (lastedMs > Math.max(this.#busyTurnMs, MAX_TURN_MS)) return true;
    if (!this.#isBusy || lastedMs <= this.#busyTurnMs) return false;
    if (!isQuiet || this.#lateRequests >= MAX_LATE_REQUESTS) return true;
    this.#lateRequests += 1;
    return false;
  }

  /** Counts a request of `caller` that was refused before {@link isExceededFor} was asked. Returns how many it sent in both windows. */
  count(caller: string): number {
    return this.#requests.add(caller);
  }

  #beginTurn(now: number): number {
    this.#loop.whenTurnEnds(() => {
      this.#turnStartedAtMs = undefined;
      this.#lateRequests = 0;
    });
    const { startedAtMs, idleMs } = this.#window;
    if (now - startedAtMs >= WINDOW_MS) {
      this.#window = { startedAtMs: now, idleMs: this.#loop.idleMs() };
      this.#isBusy = this.#window.idleMs - idleMs < (1 - BUSY_RATIO) * (now - startedAtMs);
      this.#requests.nextWindow();
    }
    return now;
  }
}

/** How many requests each caller sent in this window and the one before. */
class RecentRequests {
  #previous = { byCaller: new Map<string, number>(), max: 0 };
  #current = { byCaller: new Map<string, number>(), max: 0 };

  /** Returns how many `caller` has sent, with this one. */
  add(caller: string): number {
    const current = this.#current;
    const count = (current.byCaller.get(caller) ?? 0) + 1;
    current.byCaller.set(caller, count);
    current.max = Math.max(current.max, count);
    return count + (this.#previous.byCaller.get(caller) ?? 0);
  }

  /** How many the busiest caller sent in either window. */
  get max(): number {
    return Math.max(this.#current.max, this.#previous.max);
  }

  nextWindow(): void {
    this.#previous = this.#current;
    this.#current = { byCaller: new Map(), max: 0 };
  }
}
