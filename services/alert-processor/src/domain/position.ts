/**
 * The position of an entry in the history of one alert: the millisecond of its acceptance, then a rank inside it. The
 * wire form `<epochMs>_<nanos>` is the opaque cursor of notes and logs (A12).
 */
export interface Position {
  readonly ms: number;
  readonly nanos: number;
}

/** The first position at `at` or later that is after `previous`. So the entries of an alert strictly increase. */
export function positionAfter(previous: Position | undefined, at: Date): Position {
  const ms = at.getTime();
  if (previous === undefined || ms > previous.ms) return { ms, nanos: 0 };
  return { ms: previous.ms, nanos: previous.nanos + 1 };
}

export function formatPosition({ ms, nanos }: Position): string {
  return `${String(ms)}_${String(nanos)}`;
}

const CURSOR = /^(\d{1,13})_(\d{1,16})$/;

/** Parses a cursor; undefined if it is not one. */
export function parsePosition(cursor: string): Position | undefined {
  const match = CURSOR.exec(cursor.trim());
  return match === null ? undefined : { ms: Number(match[1]), nanos: Number(match[2]) };
}

/** Negative when `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  return a.ms - b.ms || a.nanos - b.nanos;
}
