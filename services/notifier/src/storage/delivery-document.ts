import type { Delivery } from '../domain/delivery.ts';

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
