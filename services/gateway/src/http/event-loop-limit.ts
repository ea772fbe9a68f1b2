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
/** How long the loop is watched before it counts as busy or not, and requests are counted. */
const WINDOW_MS = 500;
/** A busy loop had something to do in this part of the window. */
const BUSY = 0.95;
/** A caller is quiet who sent less than this part of the requests of the busiest caller. */
const QUIET = 1 / 8;
/** Requests of quiet callers that a turn of a busy loop takes on after its limit. Many quiet callers together can be a flood. */
const MAX_LATE_REQUESTS = 50;

/**
 * Says when a turn of the event loop has lasted so long that new requests are to be refused. What arrives during a turn waits in
 * the kernel until its end, outside of all queues that have a bound, so turns have to be short (F3).
 */
export class EventLoopLimit {
  readonly #loop: EventLoop;
  readonly #busyTurnMs: number;
  readonly #requests = new RecentRequests();
  #window: { readonly startedAtMs: number; readonly idleMs: number };
  #isBusy = false;
  #turnStartedAtMs: number | undefined;
  #lateRequests = 0;

  /** `busyTurnMs` is the longest turn of a busy loop in which new requests begin: the rest goes to requests that began before. */
  constructor({ busyTurnMs = BUSY_TURN_MS, loop = nodeEventLoop }: { busyTurnMs?: number; loop?: EventLoop } = {}) {
    this.#busyTurnMs = busyTurnMs;
    this.#loop = loop;
    this.#window = { startedAtMs: loop.now(), idleMs: loop.idleMs() };
  }

  /** To be called as each request begins. The first one of a turn begins the turn. */
  requestBegan(): void {
    this.#turnStartedAtMs ??= this.#beginTurn(this.#loop.now());
  }

  /**
   * Counts a request of `caller`, and says whether it is to be refused because the present turn has lasted too long: more than
   * 400 ms, or more than `busyTurnMs` once the loop has been busy for half a second. Then quiet callers, who sent less than an
   * eighth of what the busiest one sent, still have 50 requests within the 400 ms: the callers who flood are refused first.
   */
  isExceededFor(caller: string): boolean {
    const isQuiet = this.count(caller) < QUIET * this.#requests.most;
    if (this.#turnStartedAtMs === undefined) return false;
    const lastedMs = this.#loop.now() - this.#turnStartedAtMs;
    if (lastedMs > Math.max(this.#busyTurnMs, BURST_TURN_MS)) return true;
    if (!this.#isBusy || lastedMs <= this.#busyTurnMs) return false;
    if (!isQuiet || this.#lateRequests >= MAX_LATE_REQUESTS) return true;
    this.#lateRequests += 1;
    return false;
  }

  /** Counts a request of `caller` that was refused before {@link isExceededFor} was asked. Returns how many it sent lately. */
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
      this.#isBusy = this.#window.idleMs - idleMs < (1 - BUSY) * (now - startedAtMs);
      this.#requests.nextWindow();
    }
    return now;
  }
}

/** How many requests each caller sent in the present window and the one before. */
class RecentRequests {
  #before = { byCaller: new Map<string, number>(), most: 0 };
  #present = { byCaller: new Map<string, number>(), most: 0 };

  /** Returns how many `caller` has sent, with this one. */
  add(caller: string): number {
    const present = this.#present;
    const count = (present.byCaller.get(caller) ?? 0) + 1;
    present.byCaller.set(caller, count);
    present.most = Math.max(present.most, count);
    return count + (this.#before.byCaller.get(caller) ?? 0);
  }

  /** How many the busiest caller has sent, of either window. */
  get most(): number {
    return Math.max(this.#present.most, this.#before.most);
  }

  nextWindow(): void {
    this.#before = this.#present;
    this.#present = { byCaller: new Map(), most: 0 };
  }
}
