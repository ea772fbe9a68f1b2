import { TOPIC_DAYS } from '@tocsin/events';

/** The documents that are kept for a limited time: closed alerts, request statuses, and the ids of deleted alerts. */
export const KEPT = ['alerts', 'statuses', 'removals'] as const;
export type Kept = (typeof KEPT)[number];

/** How many days each is kept, counted from the close, the processing or the removal. */
export type Periods = Readonly<Record<Kept, number>>;

/** A day more than Kafka keeps decisions, so that a late decision about a deleted alert still finds its id. */
export const REMOVAL_DAYS = TOPIC_DAYS + 1;

/**
 * The least number of days that a request status is kept, even if callers may not read it that long. It is a day more
 * than Kafka keeps commands, so that a redelivered command is known to have been processed.
 */
export const PROCESSED_DAYS = TOPIC_DAYS + 1;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether a command was accepted longer ago than Kafka keeps commands, so that its status may be gone. */
export function isTooOld(acceptedAt: Date, now: Date): boolean {
  return now.getTime() - acceptedAt.getTime() > TOPIC_DAYS * DAY_MS;
}

/** The full hour at or before `at`. Removal happens on the hour, so that a sweep in between finds nothing to do. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/** Documents from this instant or earlier are removed in the hour of `now`. */
export function limitAt(now: Date, days: number): Date {
  return new Date(hourOf(now).getTime() - days * DAY_MS);
}

/** When a document from `from` is removed: the first full hour at least `days` later. */
export function goesAt(from: Date, days: number): Date {
  return new Date(Math.ceil((from.getTime() + days * DAY_MS) / HOUR_MS) * HOUR_MS);
}
