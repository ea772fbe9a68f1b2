import type { Decision } from '@tocsin/events';
import { triedUntil } from '../messages/attempts.ts';
import { markDelivered, markFailed, isNotice, type UserDelivery } from '../messages/delivery.ts';
import { isAnyLeft, successorOf } from '../messages/fail-over.ts';

/** A provider's report whether a message that it accepted has reached its address (U18). */
export interface Receipt {
  /** The delivery, or the bundle (U8). */
  readonly deliveryId: string;
  /** The number of the attempt, which was made at one provider. */
  readonly attempt: number;
  readonly provider: string;
  readonly outcome: 'delivered' | 'failed';
  /** The word of the provider, on one line. */
  readonly said: string;
}

/** The change of a delivery by a receipt. */
export type ReceiptOutcomeOf =
  /** `successor`: the delivery by which the message goes to the next provider. */
  | { readonly kind: 'taken'; readonly delivery: UserDelivery; readonly successor?: UserDelivery }
  /** It is about an attempt before the last one: the log has it, and the delivery does not change. */
  | { readonly kind: 'overtaken' }
  /** The delivery has this state, or a later one. */
  | { readonly kind: 'unchanged' };

/**
 * The change of a delivery by a receipt of one of its attempts. Receipts, results and repeats may come in any order, and the
 * state only moves forwards. A message that arrived is `delivered`, whatever its state was before, and is not sent again. After a receipt
 * of a failure, a message that was handed over, or is about to be, has `failed`. It goes to one of `providers` that did not get it yet,
 * while there is time to try and its content is kept.
 */
export function applyReceipt(
  delivery: UserDelivery,
  receipt: Receipt,
  providers: readonly string[],
  now: Date,
): ReceiptOutcomeOf {
  const { attempt, outcome, provider, said } = receipt;
  if (attempt !== delivery.attempts) return attempt < delivery.attempts ? { kind: 'overtaken' } : { kind: 'unchanged' };
  if (delivery.state === 'delivered') return { kind: 'unchanged' };
  const { keptUntil, ...open } = delivery;
  const asked = { ...open, provider };
  if (outcome === 'delivered') return { kind: 'taken', delivery: markDelivered(asked, said) };
  if (delivery.state !== 'sent' && delivery.state !== 'sending') return { kind: 'unchanged' };
  const end = markFailed(asked, said);
  const isTime = now < triedUntil(delivery);
  const hasContent = delivery.state === 'sending' || keptUntil !== undefined;
  return { kind: 'taken', delivery: end, ...(isTime && hasContent && nextProvider(open, receipt, end, providers)) };
}

/** The part of a receipt for one delivery of its message: a bundle counts its attempts by itself. */
export function receiptFor({ attempts, bundle, deliveryId }: UserDelivery, receipt: Receipt): Receipt {
  if (bundle?.id !== receipt.deliveryId) return receipt;
  return { ...receipt, deliveryId, attempt: attempts - (bundle.attempt - receipt.attempt) };
}

function nextProvider(
  delivery: UserDelivery,
  { provider, said }: Receipt,
  end: UserDelivery,
  providers: readonly string[],
): Pick<Extract<ReceiptOutcomeOf, { kind: 'taken' }>, 'successor'> {
  const result = { kind: 'permanent', reason: said } as const;
  const successor = successorOf({ delivery, provider, result }, end, providers);
  return successor === undefined ? {} : { successor };
}

/**
 * The delivery as it is kept once a provider took it that sends receipts. Its content stays until its tries would have ended, where
 * another provider is left that would need it. The content of a notice goes: a code is forgotten once it was sent.
 */
export function keepForReceipt(
  sent: UserDelivery,
  provider: string,
  providers: readonly string[],
  now: Date,
): UserDelivery {
  const keptUntil = triedUntil(sent);
  const isWorthIt = !isNotice(sent) && now < keptUntil && isAnyLeft(sent, provider, providers);
  return isWorthIt ? { ...sent, keptUntil } : sent;
}

/** The changes that a receipt causes. */
export interface ReceiptChange {
  /** The delivery as it is now; absent where it stays as it was. */
  readonly delivery?: UserDelivery;
  /** The delivery by which the message goes to the next provider: due at once. */
  readonly successor?: UserDelivery;
  readonly decision?: Decision;
}
