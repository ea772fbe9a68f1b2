import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import type { AlertStanding } from '../domain/wanted.ts';

/** Where the standing of alerts is kept. */
export interface AlertStandings {
  /** Settles events in one transaction, of several partitions all or none; the newest version of each alert stays. */
  settleAlerts(batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement>;
}

/** What is known of the standing of alerts; an alert of which nothing is known counts as open. */
export interface KnownStandings {
  of(alertIds: readonly string[]): Promise<ReadonlyMap<string, AlertStanding>>;
}
