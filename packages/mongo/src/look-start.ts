/** How long ago a position has to have been seen. MongoDB aborts transactions that are open for 60 s; it looks for them every 30 s. */
const MIN_AGE_MS = 120_000;
const FULL_LOOK_EVERY_MS = 60_000;
const MARK_EVERY_MS = 10_000;
/** A look starts once a second at least. After a longer pause the process was frozen, and a transaction may have been frozen too. */
const MAX_PAUSE_MS = 10_000;

interface LookStartOptions {
  readonly fullLookEveryMs?: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/**
 * Decides where a look for the first rows starts, so that it need not step over the keys of deleted rows: MongoDB keeps these in an
 * index for minutes.
 *
 * A look starts at a position that was seen more than 120 s ago. In the outbox, where positions only grow, it misses no row: a row
 * before that position was inserted before the position was seen, so its transaction has committed or aborted by now. A due document may
 * be written before the position at any time: see `FULL_LOOK_EVERY_MS` in `due-work.ts`. The clock of this process measures the age,
 * because positions are times of the cluster, whose clock may jump.
 *
 * Once in `fullLookEveryMs`, and after a pause of 10 s, a look starts at the first row. Positions from before such a pause are
 * forgotten.
 */
export class LookStart<Position> {
  readonly #now: () => number;
  readonly #fullLookEveryMs: number;
  #marks: { readonly atMs: number; readonly position: Position }[] = [];
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** A look starts at the first row each `fullLookEveryMs`, a minute by default. */
  constructor({ fullLookEveryMs = FULL_LOOK_EVERY_MS, now = () => performance.now() }: LookStartOptions = {}) {
    this.#now = now;
    this.#fullLookEveryMs = fullLookEveryMs;
  }

  /**
   * Makes the next look start at the first row. To be called after another process published, the database was unavailable, or a document
   * was written before the start of looks.
   */
  reset(): void {
    this.#marks = [];
    this.#fullAtMs = Number.NEGATIVE_INFINITY;
  }

  /** To be called when a look has found the row at `position`. */
  record(position: Position): void {
    const atMs = this.#now();
    const last = this.#marks.at(-1);
    if (last === undefined || atMs - last.atMs >= MARK_EVERY_MS) this.#marks.push({ atMs, position });
  }

  /** Whether the next look starts at the first row whatever was seen, because the last that did was long ago. */
  get isFullLookDue(): boolean {
    const nowMs = this.#now();
    return nowMs - this.#lookedAtMs > MAX_PAUSE_MS || nowMs - this.#fullAtMs >= this.#fullLookEveryMs;
  }

  /** The position at which the look that begins now has to start; undefined: at the first row. */
  next(): Position | undefined {
    const nowMs = this.#now();
    if (nowMs - this.#lookedAtMs > MAX_PAUSE_MS) this.reset();
    const isFull = this.isFullLookDue;
    this.#lookedAtMs = nowMs;
    if (isFull) {
      this.#fullAtMs = nowMs;
      return undefined;
    }
    const oldEnough = this.#marks.filter(({ atMs }) => nowMs - atMs >= MIN_AGE_MS).length;
    this.#marks.splice(0, oldEnough - 1);
    return oldEnough === 0 ? undefined : this.#marks[0]?.position;
  }
}
