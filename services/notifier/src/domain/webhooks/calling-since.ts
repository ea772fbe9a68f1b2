import { TRY_FOR_MS } from '../attempts.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

/** Since when processes have been calling the receiver of one integration, whichever of them. */
export interface CallingSince {
  /** Without a long rest since then. */
  readonly since: Date;
  /** The last call, or the last time at which a process had no place for one. */
  readonly lastAt: Date;
}

/** Far more than the longest pause of a receiver that is left alone: whoever called nobody for so long was away, or idle. */
const LONG_REST_MS = 5 * 60_000;

/** After a call at `now`. */
export function calledAt(before: CallingSince | undefined, now: Date): CallingSince {
  const goesOn = before !== undefined && now.getTime() - before.lastAt.getTime() < LONG_REST_MS;
  return { since: goesOn ? before.since : now, lastAt: now };
}

/** The instant from which the tries of a delivery count: when it came, or when its receiver was first called, if that was later. */
export const triedSince = ({ dueAt }: Pick<WebhookDelivery, 'dueAt'>, { since }: CallingSince): Date =>
  since > dueAt ? since : dueAt;

/**
 * Whether what has waited for 15 minutes waits because of its receiver, dead or slow: it was called all that time. What waited
 * through an outage of ours has not had its time.
 */
export const calledForLongEnough = (calling: CallingSince | undefined, now: Date): boolean =>
  calling !== undefined &&
  now.getTime() - calling.since.getTime() >= TRY_FOR_MS &&
  now.getTime() - calling.lastAt.getTime() < LONG_REST_MS;
