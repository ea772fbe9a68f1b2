import type { mongo } from 'mongoose';
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

/** Of a document as {@link toDelivery} takes it: by what it is found is nothing of the delivery. */
export const DELIVERY_FIELDS = { turn: 0, rank: 0, nextAt: 0 } as const;

export function toDelivery({ _id, reason, ...rest }: DeliveryDocument): Delivery {
  return { deliveryId: _id, reason: reason ?? undefined, ...rest };
}

/**
 * The part of a delivery that its life changes: what it is about stays as it is stored, but for a code that was forgotten.
 * An error of the database quotes what was written, and so no code.
 */
export function lifeOf(delivery: Delivery, retryAt: Date | undefined): mongo.UpdateFilter<DeliveryDocument> {
  const { attempts, interruptions, reason, state, to } = delivery;
  const life = { attempts, interruptions, reason: reason ?? null, state, to, ...(retryAt && { nextAt: retryAt }) };
  const set = isForgotten(delivery) ? { ...life, 'notice.code': '' } : life;
  return isFinal(delivery) ? { $set: set, $unset: { turn: 1, rank: 1, nextAt: 1 } } : { $set: set };
}

const isForgotten = (delivery: Delivery): boolean =>
  isNotice(delivery) && delivery.notice.kind === 'contact-verification' && delivery.notice.code === '';
