import type { ConsumedBatch, SubscriptionEvent, VerificationEvent } from '@tocsin/events';

/** Verification events of one partition, the first of which stands at `from`. */
export const verificationBatch = (events: readonly VerificationEvent[], from = 0): ConsumedBatch<VerificationEvent> =>
  batchOf('verification-events.v1', events, from);

/** As {@link verificationBatch}, of ended subscriptions. */
export const subscriptionBatch = (events: readonly SubscriptionEvent[], from = 0): ConsumedBatch<SubscriptionEvent> =>
  batchOf('subscription-events.v1', events, from);

function batchOf<E extends { readonly userId: string }>(
  topic: string,
  events: readonly E[],
  from: number,
): ConsumedBatch<E> {
  const records = events.map((value, n) => ({
    offset: from + n,
    key: value.userId,
    timestampMs: 1_767_225_600_000 + from + n,
    value,
  }));
  return { topic, partition: 0, clusterId: 'cluster', records };
}
