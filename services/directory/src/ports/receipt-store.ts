import type { BuriedRecord, ConsumedBatch, Decision, Settlement } from '@tocsin/contracts';

/** Settles what was decided about mails: whoever was reached under their user name is verified, for good (U11). */
export interface ReceiptStore {
  /** Of several partitions all or none. */
  settle(batches: readonly ConsumedBatch<Decision>[]): Promise<Settlement>;
  /** Passes over one record that can never be settled. */
  bury(record: BuriedRecord): Promise<Settlement>;
}
