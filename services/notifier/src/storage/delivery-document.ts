import { isNotice, type Delivery } from '../domain/delivery.ts';

type Stored<D> = D extends Delivery
  ? Omit<D, 'deliveryId' | 'reason'> & { readonly _id: string; readonly reason: string | null }
  : never;

/** A delivery as it is stored: MongoDB has null where we have undefined. */
export type DeliveryDocument = Stored<Delivery>;

export function fromDelivery({ deliveryId, reason, ...rest }: Delivery): DeliveryDocument {
  return { _id: deliveryId, reason: reason ?? null, ...rest };
}

export function toDelivery({ _id, reason, ...rest }: DeliveryDocument): Delivery {
  return { deliveryId: _id, reason: reason ?? undefined, ...rest };
}

/**
 * The part of a delivery that its life changes: what it is about stays as it is stored, but for a code that was forgotten.
 * An error of the database quotes what was written, and so no code.
 */
export function lifeOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  const { attempts, interruptions, reason, state, to } = delivery;
  const life = { attempts, interruptions, reason: reason ?? null, state, to };
  if (!isNotice(delivery) || delivery.notice.kind !== 'contact-verification' || delivery.notice.code !== '')
    return life;
  return { ...life, 'notice.code': '' };
}
