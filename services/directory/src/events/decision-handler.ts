import type { Decision } from '@tocsin/contracts';
import { GatheredHandler } from '@tocsin/messaging';
import type { ReceiptStore } from '../ports/receipt-store.ts';

/**
 * Settles `decisions.v1`, of several partitions at once together: a mail that was handed over verifies its user (U11), a push its
 * device (U13); the rest is nobody's business here.
 */
export function decisionHandler(store: ReceiptStore): GatheredHandler<Decision> {
  return new GatheredHandler({
    settle: (batches) => store.settle(batches),
    bury: (record) => store.bury(record),
  });
}
