import { concluded, postponed, separately, type Outcome } from '../domain/attempts.ts';
import type { Delivery } from '../domain/delivery.ts';
import { successorOf } from '../domain/fail-over.ts';
import { awaiting } from '../domain/receipt.ts';
import type { HandedOver } from '../ports/channel.ts';
import type { Change } from './delivery-decision.ts';

/** What decides about a delivery after an attempt, beside the provider's answer. */
interface AttemptContext {
  readonly now: Date;
  /** From 0 up to but not including 1. */
  readonly jitter: number;
  /** The providers of the delivery's method, in the order in which they are asked. */
  readonly providers: readonly string[];
}

/** What becomes of a delivery after an attempt, and by which delivery it goes on with another provider (U7). Pure. */
export function changeAfter(delivery: Delivery, handedOver: HandedOver, context: AttemptContext): Change {
  const { isOverRate, provider, result } = handedOver;
  if (isOverRate === true && result.kind !== 'accepted') return postponed(delivery, result.reason, context.now);
  const asked = provider === undefined ? delivery : { ...delivery, provider };
  if (result.kind === 'permanent' && delivery.bundle !== undefined)
    return separately(asked, result.reason, context.now);
  return afterTry(delivery, handedOver, { ...context, ended: concluded(asked, result, context.now, context.jitter) });
}

function afterTry(
  delivery: Delivery,
  { awaitsReceipt, provider, result }: HandedOver,
  { ended, now, providers }: AttemptContext & { readonly ended: Outcome },
): Change {
  if (provider !== undefined && awaitsReceipt === true && result.kind === 'accepted')
    return { delivery: awaiting(ended.delivery, provider, providers, now) };
  const successor = successorOf({ delivery, provider, result }, ended.delivery, providers);
  return { ...ended, ...(successor && { successor }) };
}
