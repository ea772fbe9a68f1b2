import { isFinal, isNotice, type Delivery } from '../domain/delivery.ts';
import { rankOf, turnOf } from '../domain/turn.ts';

/** By what a delivery is found that waits: absent once nothing more will happen to it. */
interface Waiting {
  readonly turn?: string;
  readonly rank?: number;
  readonly nextAt?: Date;
}

type Stored<D> = D extends Delivery
  ? Omit<D, 'deliveryId' | 'reason'> & Waiting & { readonly _id: string; readonly reason: string | null }
  : never;

/** A delivery as it is stored: MongoDB has null where we have undefined. */
export type DeliveryDocument = Stored<Delivery>;

export function fromDelivery(delivery: Delivery): DeliveryDocument {
  const { deliveryId, reason, ...rest } = delivery;
  const waiting = { turn: turnOf(delivery), rank: rankOf(delivery), nextAt: delivery.dueAt };
  return { _id: deliveryId, reason: reason ?? null, ...rest, ...waiting };
}

export function toDelivery({ _id, reason, turn: _, rank: __, nextAt: ___, ...rest }: DeliveryDocument): Delivery {
  return { deliveryId: _id, reason: reason ?? undefined, ...rest };
}

/**
 * The part of a delivery that its life changes: what it is about stays as it is stored, but for a code that was forgotten.
 * An error of the database quotes what was written, and so no code.
 */
export function lifeOf(delivery: Delivery, retryAt: Date | undefined) {
  const { attempts, interruptions, reason, state, to } = delivery;
  const life = { attempts, interruptions, reason: reason ?? null, state, to, ...(retryAt && { nextAt: retryAt }) };
  const set = isForgotten(delivery) ? { ...life, 'notice.code': '' } : life;
  return isFinal(delivery)
    ? { $set: set, $unset: { turn: 1 as const, rank: 1 as const, nextAt: 1 as const } }
    : { $set: set };
}

const isForgotten = (delivery: Delivery): boolean =>
  isNotice(delivery) && delivery.notice.kind === 'contact-verification' && delivery.notice.code === '';
