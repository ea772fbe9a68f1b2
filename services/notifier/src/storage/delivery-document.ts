import type { Delivery } from '../domain/delivery.ts';

/** A delivery as it is stored: MongoDB has null where we have undefined. */
export type DeliveryDocument = Omit<Delivery, 'deliveryId' | 'reason'> & {
  readonly _id: string;
  readonly reason: string | null;
};

export function fromDelivery({ deliveryId, reason, ...rest }: Delivery): DeliveryDocument {
  return { _id: deliveryId, reason: reason ?? null, ...rest };
}

export function toDelivery({ _id, reason, ...rest }: DeliveryDocument): Delivery {
  return { deliveryId: _id, reason: reason ?? undefined, ...rest };
}
