import type { IdsOf, Query } from '@tocsin/alert-query';
import type { AlertIdentifier, AlertSortField } from '@tocsin/contracts';
import type { Alert, UnresolvedResponders } from '../domain/alert.ts';
import type { HistoryListing, LogEntry, Note } from '../domain/history.ts';
import type { Recipient } from '../domain/recipients.ts';

/** What is searched for, and what the names in it stand for. */
export interface Search {
  readonly query: Query;
  readonly idsOf: IdsOf;
}

export interface AlertSelection {
  /** Only alerts that this team's keys may see; all where undefined (K4). */
  readonly teamId: string | undefined;
  /** Only alerts that it finds; all where undefined. */
  readonly search: Search | undefined;
}

export interface AlertListing extends AlertSelection {
  readonly sort: AlertSortField;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export interface AlertReader {
  /** By alias only an open alert is found: the one that a key of `teamId` means by it, of the account where undefined (A16). */
  find(identifier: AlertIdentifier, teamId?: string): Promise<Alert | undefined>;
  /** Alerts that compare equal come in the order of their creation and tiny ids, so that pages never overlap. */
  list(listing: AlertListing): Promise<readonly Alert[]>;
  /** How many alerts there are; counting stops at `most`. @throws InvalidError when it takes longer than a search may, or than `withinMs`. */
  count(selection: AlertSelection, most: number, withinMs?: number): Promise<number>;
  /** How many alerts there are in all, fast; off by a little after a crash of the database. */
  estimate(): Promise<number>;
  logs(listing: HistoryListing): Promise<readonly LogEntry[]>;
  notes(listing: HistoryListing): Promise<readonly Note[]>;
  /** Whom the flow of the alert reached and how each stands to it, by when they were first reached; at most `most`. */
  recipients(alertId: string, most: number): Promise<readonly Recipient[]>;
  /** What is still to be looked up of the responders of `alertIds`. */
  unresolved(alertIds: readonly string[]): Promise<readonly UnresolvedResponders[]>;
}
