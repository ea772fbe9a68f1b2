import { TOPIC_DAYS } from '@tocsin/contracts';

/** What is kept for a time only: closed alerts, the statuses of requests, and the ids of alerts that are gone. */
export const KEPT = ['alerts', 'statuses', 'removals'] as const;
export type Kept = (typeof KEPT)[number];

/** For how many days each is kept, from the close, the settlement or the removal on. */
export type Periods = Readonly<Record<Kept, number>>;

/** A day more than Kafka keeps decisions: what comes later about an alert that is gone finds its id. */
export const REMOVAL_DAYS = TOPIC_DAYS + 1;

/**
 * The least that the status of a request is kept, whatever part of it can be read: a day more than Kafka keeps commands, so that
 * one that comes again is known to have settled.
 */
export const SETTLED_DAYS = TOPIC_DAYS + 1;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether what was accepted then is older than Kafka keeps commands, so that its status may be gone. */
export function isTooOld(acceptedAt: Date, now: Date): boolean {
  return now.getTime() - acceptedAt.getTime() > TOPIC_DAYS * DAY_MS;
}

/** The full hour at or before `at`: things go on the hour, so that a look in between finds nothing to do. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/** What is of this instant or earlier goes in the hour of `now`. */
export function limitAt(now: Date, days: number): Date {
  return new Date(hourOf(now).getTime() - days * DAY_MS);
}

/** When what is of the instant `of` goes: the first full hour that is `days` later. */
export function goesAt(of: Date, days: number): Date {
  return new Date(Math.ceil((of.getTime() + days * DAY_MS) / HOUR_MS) * HOUR_MS);
}
