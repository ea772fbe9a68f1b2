import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';

/** Where the standing of alerts is kept. */
export interface AlertStandings {
  /** Settles events in one transaction, of several partitions all or none; the newest version of each alert stays. */
  settleAlerts(batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement>;
}
