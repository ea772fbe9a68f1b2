/** How many notes of one minute were counted: at most one more than the limit, because the log names the first note over it. */
export interface NoteMinute {
  /** The minute of the clock in UTC, such as `2026-01-01T01:00`. */
  readonly minute: string;
  readonly count: number;
}

/** Users are notified of at most so many notes on one alert in one minute: a script writes more (U16). */
export const MAX_NOTES_PER_MINUTE = 20;
/** How many minutes an escalation state remembers, those counted last. */
const MAX_MINUTES = 20;

export const minuteOf = (at: string): string => at.slice(0, 'yyyy-mm-ddThh:mm'.length);

/**
 * Counts a note that was accepted at `at`: whether users may be notified of it, is the `first-over` of its minute, or one more. The instants
 * of notes decide, so that the same notes in the same order have the same outcome whenever they are handled.
 */
export function withNote(
  minutes: readonly NoteMinute[],
  at: string,
): { readonly minutes: readonly NoteMinute[]; readonly outcome: 'may-notify' | 'first-over' | 'over' } {
  const minute = minuteOf(at);
  const before = minutes.find((each) => each.minute === minute)?.count ?? 0;
  if (before > MAX_NOTES_PER_MINUTE) return { minutes, outcome: 'over' };
  const others = minutes.filter((each) => each.minute !== minute);
  return {
    minutes: [...others, { minute, count: before + 1 }].slice(-MAX_MINUTES),
    outcome: before === MAX_NOTES_PER_MINUTE ? 'first-over' : 'may-notify',
  };
}
