import type { ConsumedBatch, VerificationEvent } from '@tocsin/events';

/** Verification events of one partition, the first of which stands at `from`. */
export function verificationBatch(events: readonly VerificationEvent[], from = 0): ConsumedBatch<VerificationEvent> {
  const records = events.map((value, n) => ({
    offset: from + n,
    key: value.userId,
    timestampMs: 1_767_225_600_000 + from + n,
    value,
  }));
  return { topic: 'verification-events.v1', partition: 0, clusterId: 'cluster', records };
}
