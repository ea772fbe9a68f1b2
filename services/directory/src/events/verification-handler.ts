import type { VerificationEvent } from '@tocsin/contracts';
import { GatheredHandler } from '@tocsin/messaging';
import type { VerificationEventStore } from '../ports/verification-event-store.ts';

/** Settles `verification-events.v1`, batches of several partitions in one transaction: a mail verifies its user (U11), a push its device (U13). */
export function verificationHandler(store: VerificationEventStore): GatheredHandler<VerificationEvent> {
  return new GatheredHandler({
    settle: (batches) => store.settle(batches),
    bury: (record) => store.bury(record),
  });
}
