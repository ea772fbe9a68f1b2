import type { SubscriptionEvent, UserState, VerificationEvent } from '@tocsin/events';
import type { HandedOver } from '../channels/channel.ts';
import { keepForReceipt } from '../receipts/receipt.ts';
import { applyResult, type Outcome, postpone, retryAlone, retryInterrupted } from './attempts.ts';
import type { Change } from './decisions.ts';
import { type UserDelivery, userIdOf } from './delivery.ts';
import { successorOf } from './fail-over.ts';

/** The input of a decision about a delivery after an attempt, besides the provider's answer. */
interface AttemptContext {
  readonly now: Date;
  /** From 0 up to but not including 1. */
  readonly jitter: number;
  /** The providers of the delivery's method, in their order. */
  readonly providers: readonly string[];
  /** Whether the lease of the queue ended during the attempt, such as in a frozen process. */
  readonly hasLostLease: boolean;
}

/** The delivery after an attempt, and the new delivery by which another provider sends its message (U7). Pure. */
export function changeAfter(delivery: UserDelivery, handedOver: HandedOver, context: AttemptContext): Change {
  const { isOverRate, provider, result } = handedOver;
  if (isOverRate === true && result.kind !== 'accepted') return postpone(delivery, result.reason, context.now);
  const asked = provider === undefined ? delivery : { ...delivery, provider };
  if (result.kind === 'unknown' && context.hasLostLease) return retryInterrupted(asked, context.now);
  if (result.kind === 'permanent' && delivery.bundle !== undefined && result.isUnsubscribed !== true)
    return retryAlone(asked, result.reason, context.now);
  return afterResult(delivery, handedOver, {
    ...context,
    providers: handedOver.takenBy ?? context.providers,
    ended: withEarlyRetry(applyResult(asked, result, context.now, context.jitter), handedOver),
  });
}

/**
 * Writes whether the message may be tried before its time once its provider accepts another one (U7). Not where the provider said when it
 * takes the message, and not after a try that was early itself: so each pause of its own back-off has one early try at most, also with a
 * provider that accepts one message and refuses the next.
 */
function withEarlyRetry(outcome: Outcome<UserDelivery>, { provider, result }: HandedOver): Outcome<UserDelivery> {
  const { earlyRetry, ...delivery } = outcome.delivery;
  const isSaidWhen = result.kind === 'temporary' && result.retryAfterMs !== undefined;
  const isAllowed = delivery.state === 'waiting' && provider !== undefined && !isSaidWhen && earlyRetry !== 'used';
  return { ...outcome, delivery: isAllowed ? { ...delivery, earlyRetry: 'allowed' } : delivery };
}

function afterResult(
  delivery: UserDelivery,
  { awaitsReceipt, provider, result }: HandedOver,
  { ended, now, providers }: AttemptContext & { readonly ended: Outcome<UserDelivery> },
): Change {
  if (provider !== undefined && awaitsReceipt === true && result.kind === 'accepted')
    return { delivery: keepForReceipt(ended.delivery, provider, providers, now) };
  const successor = successorOf({ delivery, provider, result }, ended.delivery, providers);
  return { ...ended, ...(successor && { successor }) };
}

/**
 * The event for directory after a server has accepted a message: a mail may verify a user (U11), a push a device (U13). directory
 * compares the address with the user. The replica of users may be old, so there is also an event for a device or a user that the replica
 * lacks, such as a user who was just invited. Undefined where the replica says that there is nothing to verify.
 */
export function verificationEventOf(
  delivery: UserDelivery,
  user: UserState | undefined,
  now: Date,
): VerificationEvent | undefined {
  const { method, state, to } = delivery;
  if (state !== 'sent' || (method !== 'email' && method !== 'mobile')) return undefined;
  if (user !== undefined && isVerified(user, method, to)) return undefined;
  return { userId: userIdOf(delivery), method, to, at: now.toISOString() };
}

/** The event for directory after a push service did not know the browser of the attempt any more (U22); undefined after any other result. */
export function subscriptionEventOf(
  delivery: UserDelivery,
  { result }: HandedOver,
  now: Date,
): SubscriptionEvent | undefined {
  if (result.kind !== 'permanent' || result.isUnsubscribed !== true) return undefined;
  return { userId: userIdOf(delivery), to: delivery.to, at: now.toISOString() };
}

function isVerified(user: UserState, method: VerificationEvent['method'], to: string): boolean {
  if (method === 'email') return user.unverified !== true;
  return user.contacts.some((contact) => contact.unverifiedDevice !== true && contact.to === to);
}
