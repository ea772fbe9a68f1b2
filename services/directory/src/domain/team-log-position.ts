/** The place of a line in its team's history: the version that came of the change, then the place among its lines. */
export interface TeamLogPosition {
  readonly n: number;
  readonly line: number;
}

const WRITTEN = /^(\d{1,15})-(\d{1,9})$/;

/** The cursor of a line, for callers to hand back: `parseLogPosition` reads it. */
export const formatLogPosition = ({ n, line }: TeamLogPosition): string => `${n}-${line}`;

/** The line of a cursor; undefined when it is none. */
export function parseLogPosition(cursor: string): TeamLogPosition | undefined {
  const [, n, line] = WRITTEN.exec(cursor) ?? [];
  return n === undefined || line === undefined ? undefined : { n: Number(n), line: Number(line) };
}
