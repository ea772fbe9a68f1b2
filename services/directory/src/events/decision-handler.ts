import type { Decision } from '@tocsin/contracts';
import { mailReceipts } from '../domain/mail-receipt.ts';
import type { ReceiptStore } from '../ports/receipt-store.ts';

/** Settles `decisions.v1`: a mail that was delivered verifies its user (U11); the rest is nobody's business here. */
export function decisionHandler(store: ReceiptStore): ReceiptStore & { concerns(decision: Decision): boolean } {
  return {
    concerns: (decision) => mailReceipts(decision).length > 0,
    settle: (batch) => store.settle(batch),
    bury: (record) => store.bury(record),
  };
}
