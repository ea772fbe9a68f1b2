import type { IdsOf, Query } from '@tocsin/rules';
import type { AlertSortField } from '@tocsin/api';
import type { AlertIdentifier } from '@tocsin/events';
import type { Alert } from './alert.ts';
import type { HistoryListing, LogEntry, Note } from '../alert-log/entry.ts';
import type { Recipient } from '../alert-log/recipients.ts';

/** A query, and the ids that the names in it stand for. */
export interface Search {
  readonly query: Query;
  readonly idsOf: IdsOf;
}

export interface AlertSelection {
  /** Only alerts that this team's keys may see; all if undefined (K4). */
  readonly teamId: string | undefined;
  /** Only alerts that it matches; all if undefined. */
  readonly search: Search | undefined;
}

export interface AlertListing extends AlertSelection {
  readonly sort: AlertSortField;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export interface AlertReader {
  /** By alias it finds only open alerts: the one that a key of `teamId` (undefined: the account) means by it (A16). */
  find(identifier: AlertIdentifier, teamId?: string): Promise<Alert | undefined>;
  /** Alerts that compare equal are ordered by creation and tiny id, so that pages never overlap. */
  list(listing: AlertListing): Promise<readonly Alert[]>;
  /** Counts alerts, up to `most`. @throws InvalidError when it takes longer than a search may, or than `withinMs`. */
  count(selection: AlertSelection, most: number, withinMs?: number): Promise<number>;
  /** A fast count of all alerts; slightly off after a crash of the database. */
  estimate(): Promise<number>;
  logs(listing: HistoryListing): Promise<readonly LogEntry[]>;
  notes(listing: HistoryListing): Promise<readonly Note[]>;
  /**
   * The users whom the flow of the alert reached, with their states, in the order of the first time; at most `most`.
   */
  recipients(alertId: string, most: number): Promise<readonly Recipient[]>;
}
