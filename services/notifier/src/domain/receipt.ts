import { triedUntil } from './attempts.ts';
import { delivered, failed, isNotice, type Delivery } from './delivery.ts';
import { isAnyLeft, successorOf } from './fail-over.ts';

/** What a provider tells of a message some time after it took it: whether it reached its address (U7). */
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

/** What becomes of a delivery by a receipt. */
export type Received =
  /** `successor`: the delivery by which the message goes to the next provider. */
  | { readonly kind: 'taken'; readonly delivery: Delivery; readonly successor?: Delivery }
  /** It is about an attempt before the last one: the log says so, and nothing ends. */
  | { readonly kind: 'overtaken' }
  /** It says nothing new, or less than what is known. */
  | { readonly kind: 'unchanged' };

/**
 * What becomes of a delivery by a receipt of one of its attempts, in whatever order receipts, results and repeats come: it only
 * moves forwards. A message that arrived is `delivered`, whatever was thought of it before, and is not sent again. One
 * that was handed over, or is about to be, has `failed`; it goes to one of `providers` that was not asked yet, while
 * there is time to try and its content is there.
 */
export function received(delivery: Delivery, receipt: Receipt, providers: readonly string[], now: Date): Received {
  const { attempt, outcome, provider, said } = receipt;
  if (attempt !== delivery.attempts) return attempt < delivery.attempts ? { kind: 'overtaken' } : { kind: 'unchanged' };
  if (delivery.state === 'delivered') return { kind: 'unchanged' };
  const { keptUntil, ...open } = delivery;
  const asked = { ...open, provider };
  if (outcome === 'delivered') return { kind: 'taken', delivery: delivered(asked, said) };
  if (delivery.state !== 'sent' && delivery.state !== 'sending') return { kind: 'unchanged' };
  const end = failed(asked, said);
  const isTime = now < triedUntil(delivery);
  const hasContent = delivery.state === 'sending' || keptUntil !== undefined;
  return { kind: 'taken', delivery: end, ...(isTime && hasContent && goingOn(open, receipt, end, providers)) };
}

/** What a receipt says of one delivery of its message: a bundle counts its attempts by itself. */
export function receiptFor({ attempts, bundle, deliveryId }: Delivery, receipt: Receipt): Receipt {
  if (bundle?.id !== receipt.deliveryId) return receipt;
  return { ...receipt, deliveryId, attempt: attempts - (bundle.attempt - receipt.attempt) };
}

function goingOn(
  delivery: Delivery,
  { provider, said }: Receipt,
  end: Delivery,
  providers: readonly string[],
): Pick<Extract<Received, { kind: 'taken' }>, 'successor'> {
  const result = { kind: 'permanent', reason: said } as const;
  const successor = successorOf({ delivery, provider, result }, end, providers);
  return successor === undefined ? {} : { successor };
}

/**
 * The delivery as it is kept once a provider took it that sends receipts. Its content stays until its tries would have ended, where
 * another provider is left that would need it. The content of a notice goes: a code is forgotten once it was sent.
 */
export function awaiting(sent: Delivery, provider: string, providers: readonly string[], now: Date): Delivery {
  const keptUntil = triedUntil(sent);
  const isWorthIt = !isNotice(sent) && now < keptUntil && isAnyLeft(sent, provider, providers);
  return isWorthIt ? { ...sent, keptUntil } : sent;
}
