import { TRY_FOR_MS } from '../attempts.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

/** A period in which processes called the receiver of one integration. It ends after 5 minutes without a call. */
export interface CallPeriod {
  /** The first call. */
  readonly since: Date;
  /** The last call, or the last time at which a process had no place for one. */
  readonly lastAt: Date;
}

/** Far longer than the longest pause after a failed call. In a longer gap the notifier was away, or had nothing to send. */
const MAX_GAP_MS = 5 * 60_000;

/** The period after a call at `now`: `before`, or a new one. */
export function extendPeriod(before: CallPeriod | undefined, now: Date): CallPeriod {
  const goesOn = before !== undefined && now.getTime() - before.lastAt.getTime() < MAX_GAP_MS;
  return { since: goesOn ? before.since : now, lastAt: now };
}

/** From when the tries of a delivery count: from when it was due or, where that is later, from the first call of the period. */
export const countTriesFrom = ({ dueAt }: Pick<WebhookDelivery, 'dueAt'>, { since }: CallPeriod): Date =>
  since > dueAt ? since : dueAt;

/**
 * Whether a delivery that has waited for 15 minutes waits because its receiver fails or is slow: processes called the receiver all
 * that time. A delivery that waited because Tocsin was away is tried for longer.
 */
export const isCalledLongEnough = (calling: CallPeriod | undefined, now: Date): boolean =>
  calling !== undefined &&
  now.getTime() - calling.since.getTime() >= TRY_FOR_MS &&
  now.getTime() - calling.lastAt.getTime() < MAX_GAP_MS;
