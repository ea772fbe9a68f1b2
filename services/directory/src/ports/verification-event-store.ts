import type { BuriedRecord, ConsumedBatch, Settlement, VerificationEvent } from '@tocsin/contracts';

/** Settles verification events: a mail to their user name verifies a user (U11), a push a device (U13). */
export interface VerificationEventStore {
  /** Of several partitions all or none. */
  settle(batches: readonly ConsumedBatch<VerificationEvent>[]): Promise<Settlement>;
  /** Passes over one record that can never be settled. */
  bury(record: BuriedRecord): Promise<Settlement>;
}
