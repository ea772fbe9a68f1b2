import { TRY_FOR_MS } from '../attempts.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

/** A period in which processes called the receiver of one integration. It ends after 5 minutes without a call. */
export interface CallPeriod {
  /** The first call. */
  readonly since: Date;
  /** The last call, or the last time at which a process had no place for one. */
  readonly lastAt: Date;
}

/** Far longer than the longest pause of a receiver that fails: in such a gap the notifier was away, or had nothing to tell. */
const MAX_GAP_MS = 5 * 60_000;

/** The period with a call at `now`. */
export function calledAt(before: CallPeriod | undefined, now: Date): CallPeriod {
  const goesOn = before !== undefined && now.getTime() - before.lastAt.getTime() < MAX_GAP_MS;
  return { since: goesOn ? before.since : now, lastAt: now };
}

/** From when the tries of a delivery count: when it came, or the first call of the period if that was later. */
export const triesCountFrom = ({ dueAt }: Pick<WebhookDelivery, 'dueAt'>, { since }: CallPeriod): Date =>
  since > dueAt ? since : dueAt;

/**
 * Whether what has waited for 15 minutes waits because of its receiver, dead or slow: it was called all that time. What waited
 * through an outage of ours has not had its time.
 */
export const calledForLongEnough = (calling: CallPeriod | undefined, now: Date): boolean =>
  calling !== undefined &&
  now.getTime() - calling.since.getTime() >= TRY_FOR_MS &&
  now.getTime() - calling.lastAt.getTime() < MAX_GAP_MS;
