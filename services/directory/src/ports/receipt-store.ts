import type { BuriedRecord, ConsumedBatch, Decision, Settlement } from '@tocsin/contracts';

/** Settles receipts: a mail verifies the user whom it reached under their user name (U11), a push its device (U13). */
export interface ReceiptStore {
  /** Of several partitions all or none. */
  settle(batches: readonly ConsumedBatch<Decision>[]): Promise<Settlement>;
  /** Passes over one record that can never be settled. */
  bury(record: BuriedRecord): Promise<Settlement>;
}
