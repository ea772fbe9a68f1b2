import type { SendResult } from './attempts.ts';
import { isUrgent, withoutTries, type UserDelivery } from './delivery.ts';

/** One attempt: the delivery as it was handed over, the provider, and the result. */
export interface Attempt {
  readonly delivery: UserDelivery;
  /** Undefined where no provider got the message. */
  readonly provider: string | undefined;
  readonly result: SendResult;
}

/**
 * The new delivery by which a message goes to another provider, where the attempt was the last one of its provider and
 * `providers` has one that did not get the message yet (U7). Its id has the number of the provider, so that the same end leads to the
 * same delivery. A message that may have arrived goes to another provider only for P1 and P2.
 */
export function successorOf(
  { delivery, provider, result }: Attempt,
  ended: UserDelivery,
  providers: readonly string[],
): UserDelivery | undefined {
  if (ended.state !== 'failed' || provider === undefined) return undefined;
  if (result.kind === 'unknown' && !isUrgent(delivery)) return undefined;
  const refusedBy = [...(delivery.refusedBy ?? []), provider];
  if (!isAnyLeft(delivery, provider, providers)) return undefined;
  return { ...withoutTries(delivery), deliveryId: nextId(delivery), refusedBy };
}

/** Whether `providers` has one besides `provider` that did not get the message yet. */
export const isAnyLeft = (
  { refusedBy = [] }: Pick<UserDelivery, 'refusedBy'>,
  provider: string,
  providers: readonly string[],
): boolean => providers.some((name) => name !== provider && !refusedBy.includes(name));

/** `<delivery>@2` for the second provider, `<delivery>@3` for the third. */
function nextId({ deliveryId, refusedBy = [] }: UserDelivery): string {
  const number = refusedBy.length + 1;
  const first = number === 1 ? deliveryId : deliveryId.slice(0, -`@${number}`.length);
  return `${first}@${number + 1}`;
}
