/**
 * Where an entry stands in the history of one alert: the millisecond it was accepted in, then a rank inside it. Written
 * `<epochMs>_<nanos>` on the wire, where it is the opaque cursor of notes and logs (A12).
 */
export interface Position {
  readonly ms: number;
  readonly nanos: number;
}

/** The first position at `at` or later that lies after `previous`, so that the entries of an alert strictly increase. */
export function positionAfter(previous: Position | undefined, at: Date): Position {
  const ms = at.getTime();
  if (previous === undefined || ms > previous.ms) return { ms, nanos: 0 };
  return { ms: previous.ms, nanos: previous.nanos + 1 };
}

export function formatPosition({ ms, nanos }: Position): string {
  return `${String(ms)}_${String(nanos)}`;
}

const CURSOR = /^(\d{1,13})_(\d{1,16})$/;

/** The position that `cursor` spells, or undefined where it spells none. */
export function parsePosition(cursor: string): Position | undefined {
  const match = CURSOR.exec(cursor.trim());
  return match === null ? undefined : { ms: Number(match[1]), nanos: Number(match[2]) };
}

/** Negative when `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  return a.ms - b.ms || a.nanos - b.nanos;
}
