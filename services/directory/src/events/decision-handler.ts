import type { Decision } from '@tocsin/contracts';
import { GatheredHandler } from '@tocsin/messaging';
import type { ReceiptStore } from '../ports/receipt-store.ts';

/** Settles `decisions.v1`, batches of several partitions in one transaction: a sent mail verifies its user (U11), a push its device (U13). */
export function decisionHandler(store: ReceiptStore): GatheredHandler<Decision> {
  return new GatheredHandler({
    settle: (batches) => store.settle(batches),
    bury: (record) => store.bury(record),
  });
}
