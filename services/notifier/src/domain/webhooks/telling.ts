import { TRY_FOR_MS } from '../attempts.ts';

/** That one process tells an integration, as it knows itself. */
export interface Telling {
  /** Since when, without a long rest. */
  readonly since: Date;
  /** When it last called, or would have where there had been a place. */
  readonly lastAt: Date;
}

/** Far more than the longest pause of a receiver that is left alone: whoever called nobody for so long was away, or idle. */
const LONG_REST_MS = 5 * 60_000;

/** With a turn at `now`. */
export function toldAt(before: Telling | undefined, now: Date): Telling {
  const goesOn = before !== undefined && now.getTime() - before.lastAt.getTime() < LONG_REST_MS;
  return { since: goesOn ? before.since : now, lastAt: now };
}

/**
 * Whether what waits for 15 minutes waits because of its receiver, dead or slow: it was told all that time. What waited through
 * an outage of ours has not had its time.
 */
export const hadItsTime = (telling: Telling | undefined, now: Date): boolean =>
  telling !== undefined &&
  now.getTime() - telling.since.getTime() >= TRY_FOR_MS &&
  now.getTime() - telling.lastAt.getTime() < LONG_REST_MS;
