/** How many notes of one minute were counted: one more than are told at most, since the log names the first that is not. */
export interface NoteMinute {
  /** The minute of the clock in UTC, such as `2026-01-01T01:00`. */
  readonly minute: string;
  readonly count: number;
}

/** People are told of at most so many notes on one alert in one minute: a script writes more (U5). */
export const MOST_NOTES_A_MINUTE = 20;
/** How many minutes a run remembers, those counted last. */
const MOST_MINUTES = 20;

export const minuteOf = (at: string): string => at.slice(0, 'yyyy-mm-ddThh:mm'.length);

/**
 * Counts a note that was accepted at `at`: whether it may be told, is the `first-over` of its minute, or one more. The instants
 * of notes decide, so that the same notes in the same order have the same outcome whenever they are handled.
 */
export function withNote(
  minutes: readonly NoteMinute[],
  at: string,
): { readonly minutes: readonly NoteMinute[]; readonly outcome: 'may-tell' | 'first-over' | 'over' } {
  const minute = minuteOf(at);
  const before = minutes.find((each) => each.minute === minute)?.count ?? 0;
  if (before > MOST_NOTES_A_MINUTE) return { minutes, outcome: 'over' };
  const others = minutes.filter((each) => each.minute !== minute);
  return {
    minutes: [...others, { minute, count: before + 1 }].slice(-MOST_MINUTES),
    outcome: before === MOST_NOTES_A_MINUTE ? 'first-over' : 'may-tell',
  };
}
