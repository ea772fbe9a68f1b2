import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';

/** Where the standing of alerts is kept. */
export interface AlertStandings {
  /** Settles events in one transaction; the newest version of each alert stays. */
  settleAlerts(batch: ConsumedBatch<AlertEvent>): Promise<Settlement>;
}
