/** How old a position has to be. A transaction that is open longer is aborted: MongoDB looks every 30 s for those of 60 s. */
const SETTLED_MS = 120_000;
const FULL_LOOK_EVERY_MS = 60_000;
const MARK_EVERY_MS = 10_000;
/** Looks come once a second at least. After a longer pause the process was frozen, and a transaction may have been frozen too. */
const MAX_PAUSE_MS = 10_000;

interface LookStartOptions {
  readonly fullLookEveryMs?: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/**
 * Says where a look for the first rows starts, so that it need not pass over what was deleted before: MongoDB keeps deleted keys
 * of an index for minutes.
 *
 * A position that was seen more than 120 s ago is safe: what is before it was inserted before it was seen, so it is committed or
 * aborted by now. The age is measured by the clock of this process, because the positions are times of the cluster, whose clock
 * may jump. Once a minute (`fullLookEveryMs`), and after a pause of 10 s, a look starts at the first row all the same; positions from before such a pause
 * are forgotten.
 *
 * That a position is safe holds where positions only grow, as in the outbox. Due work may be written before the start: see
 * `FULL_LOOK_EVERY_MS` in `due-work.ts`.
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

  /** The next looks start at the first row: another process published meanwhile, the database was away, or a document was written before the start. */
  reset(): void {
    this.#marks = [];
    this.#fullAtMs = Number.NEGATIVE_INFINITY;
  }

  /** A look has shown the row at `position`. */
  seen(position: Position): void {
    const atMs = this.#now();
    const last = this.#marks.at(-1);
    if (last === undefined || atMs - last.atMs >= MARK_EVERY_MS) this.#marks.push({ atMs, position });
  }

  /** After which position a look of now has to start; undefined: at the first row. */
  next(): Position | undefined {
    const nowMs = this.#now();
    if (nowMs - this.#lookedAtMs > MAX_PAUSE_MS) this.reset();
    this.#lookedAtMs = nowMs;
    if (nowMs - this.#fullAtMs >= this.#fullLookEveryMs) {
      this.#fullAtMs = nowMs;
      return undefined;
    }
    const settled = this.#marks.filter(({ atMs }) => nowMs - atMs >= SETTLED_MS).length;
    this.#marks.splice(0, settled - 1);
    return settled === 0 ? undefined : this.#marks[0]?.position;
  }
}
