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

/** A burst that meets a quiet process is taken on whole, as far as it fits into a turn of this length. */
const BURST_TURN_MS = 400;
/** The longest turn of a busy loop unless the settings say otherwise. */
const BUSY_TURN_MS = 20;
/** How long the loop is watched before it counts as busy or not. */
const WINDOW_MS = 500;
/** A busy loop had something to do in this part of the window. */
const BUSY = 0.95;

/**
 * Says when a turn of the event loop has lasted so long that it should take on nothing new. What arrives during a turn waits for
 * its end, where no queue of ours sees it: only short turns keep that wait short (F3).
 */
export class EventLoopLimit {
  readonly #loop: EventLoop;
  readonly #busyTurnMs: number;
  #window: { readonly startedAtMs: number; readonly idleMs: number };
  #busy = false;
  #turnStartedAtMs: number | undefined;

  /** `busyTurnMs` is the longest turn of a busy loop: its rest goes to those who came before. */
  constructor({ busyTurnMs = BUSY_TURN_MS, loop = nodeEventLoop }: { busyTurnMs?: number; loop?: EventLoop } = {}) {
    this.#busyTurnMs = busyTurnMs;
    this.#loop = loop;
    this.#window = { startedAtMs: loop.now(), idleMs: loop.idleMs() };
  }

  /** Whether the present turn has lasted longer than 400 ms, or `busyTurnMs` once the loop has been busy for half a second. */
  isExceeded(): boolean {
    const now = this.#loop.now();
    this.#turnStartedAtMs ??= this.#beginTurn(now);
    return now - this.#turnStartedAtMs > (this.#busy ? this.#busyTurnMs : Math.max(this.#busyTurnMs, BURST_TURN_MS));
  }

  #beginTurn(now: number): number {
    this.#loop.whenTurnEnds(() => {
      this.#turnStartedAtMs = undefined;
    });
    const { startedAtMs, idleMs } = this.#window;
    if (now - startedAtMs >= WINDOW_MS) {
      this.#window = { startedAtMs: now, idleMs: this.#loop.idleMs() };
      this.#busy = this.#window.idleMs - idleMs < (1 - BUSY) * (now - startedAtMs);
    }
    return now;
  }
}
