import { decidedByIndex } from '@tocsin/rules';
import { ALERT_LIST_DEPTH, type AlertHistoryQuery, type CountAlertsQuery, type ListAlertsQuery } from '@tocsin/api';
import type { AlertIdentifier } from '@tocsin/events';
import { InvalidError, NotFoundError } from '@tocsin/core';
import { boundTeam, limitHolder, type Principal } from '@tocsin/http';
import { maySee, type Alert } from './alert.ts';
import { type HistoryListing, type LogEntry, type Note, parsePosition, type Position } from '../alert-log/entry.ts';
import { readableLog, type LogReader } from '../alert-log/readable-log.ts';
import type { Recipient } from '../alert-log/recipients.ts';
import type { AlertSelection } from './listing.ts';
import type { AlertReader } from './reader-store.ts';
import type { ResponderDirectory } from '../responders/client.ts';
import { type SavedSearches, searchFor } from '../searches/operations.ts';
import type { ProcessedCommands } from '../requests/progress/processed-commands.ts';

/**
 * How far beyond a page its list is counted, and for how long at most. It is counted only if index keys suffice:
 * reading alerts to count them would cost far more than the page. A count that takes too long is left out.
 */
const COUNTED_AHEAD = 2_000;
const COUNTED_WITHIN_MS = 100;

/** Up to here, counts are exact. */
const COUNTED_EXACTLY = 100_000;

/** The most recipients of one answer. */
const MAX_RECIPIENTS = 10_000;

export interface AlertPage {
  readonly alerts: readonly Alert[];
  /**
   * How many are known to exist: counted up to 2 000 beyond the page; without a count, one beyond the page if there are
   * more. 0 if the page is beyond the end and they are not counted.
   */
  readonly total: number;
}

export interface HistoryPage<T> {
  readonly entries: readonly T[];
  /** The cursor of the next page in the listing's own order; undefined on the last page. */
  readonly next: Position | undefined;
}

export interface ReadAlertsDependencies {
  readonly reader: Pick<AlertReader, keyof AlertReader>;
  readonly directory: ResponderDirectory;
  readonly searches: Pick<SavedSearches, 'get'>;
  readonly commands: Pick<ProcessedCommands, 'waitUntilProcessed'>;
}

/** The reader of a log with a key of team `teamId`. */
export const logReader = (directory: Pick<ResponderDirectory, 'known'>, teamId: string | undefined): LogReader => ({
  teamId,
  known: (type, id) => directory.known({ type, id }),
});

/** Reads of alerts. A key does not find the alerts that it may not see (K4). */
export class ReadAlerts {
  readonly #reader: Pick<AlertReader, keyof AlertReader>;
  readonly #directory: ResponderDirectory;
  readonly #searches: Pick<SavedSearches, 'get'>;
  readonly #commands: Pick<ProcessedCommands, 'waitUntilProcessed'>;

  constructor({ commands, reader, directory, searches }: ReadAlertsDependencies) {
    this.#commands = commands;
    this.#reader = reader;
    this.#directory = directory;
    this.#searches = searches;
  }

  /**
   * By alias it first waits for accepted commands about that alias, where there is no such alert yet (A16). Ids and tiny ids are
   * known only of alerts that exist.
   *
   * @throws NotFoundError when there is no such alert (by alias: no open one), or the key may not see it.
   */
  async get(identifier: AlertIdentifier, by: Principal): Promise<Alert> {
    const teamId = boundTeam(by);
    const { type, value } = identifier;
    let alert = await this.#reader.find(identifier, teamId);
    if (alert === undefined && type === 'alias' && (await this.#commands.waitUntilProcessed(value, limitHolder(by))))
      alert = await this.#reader.find(identifier, teamId);
    if (alert === undefined || !maySee(alert, teamId)) throw new NotFoundError('Alert does not exist');
    return alert;
  }

  /**
   * @throws NotFoundError when there is no such saved search; InvalidError when the query is invalid; UnavailableError
   * when a name in it can not be looked up.
   */
  async list(query: ListAlertsQuery, teamId: string | undefined): Promise<AlertPage> {
    const { sort, order, offset, limit } = query;
    // No page begins beyond this, so that every link leads to a page that may be requested.
    const reachable = ALERT_LIST_DEPTH - limit;
    const selection = await this.#selection(query, teamId);
    const [found, counted] = await Promise.all([
      this.#reader.list({ ...selection, sort, order, offset, limit: limit + 1 }),
      isCounted(selection) ? this.#counted(selection, Math.min(reachable, offset + limit + COUNTED_AHEAD)) : 0,
    ]);
    // An empty page does not show how many alerts lie before it.
    const read = found.length === 0 ? 0 : offset + found.length;
    const total = Math.min(reachable, Math.max(counted, read));
    return { alerts: found.slice(0, limit), total };
  }

  /**
   * The number of alerts: exact for team keys, for searches and up to 100 000; beyond that the database's own estimate.
   *
   * @throws as {@link list}.
   */
  async count(query: CountAlertsQuery, teamId: string | undefined): Promise<number> {
    const selection = await this.#selection(query, teamId);
    if (teamId !== undefined || selection.search !== undefined)
      return this.#reader.count(selection, Number.MAX_SAFE_INTEGER);
    const counted = await this.#reader.count(selection, COUNTED_EXACTLY);
    return counted < COUNTED_EXACTLY ? counted : this.#reader.estimate();
  }

  /**
   * The log entries that the key may read: a page of a team's key may have fewer entries than its limit.
   *
   * @throws NotFoundError as {@link get}; InvalidError when `offset` is not a cursor.
   */
  async logs(value: string, query: AlertHistoryQuery, by: Principal): Promise<HistoryPage<LogEntry>> {
    const { id } = await this.get({ type: query.identifierType, value }, by);
    const page = await pageOf(query, id, (listing) => this.#reader.logs(listing));
    return { ...page, entries: readableLog(page.entries, logReader(this.#directory, boundTeam(by))) };
  }

  /** @throws as {@link logs}. */
  async notes(value: string, query: AlertHistoryQuery, by: Principal): Promise<HistoryPage<Note>> {
    const { id } = await this.get({ type: query.identifierType, value }, by);
    return pageOf(query, id, (listing) => this.#reader.notes(listing));
  }

  /** In the order in which they were first reached, at most 10 000. @throws NotFoundError as {@link get}. */
  async recipients(identifier: AlertIdentifier, by: Principal): Promise<readonly Recipient[]> {
    const { id } = await this.get(identifier, by);
    return this.#reader.recipients(id, MAX_RECIPIENTS);
  }

  /** Counts up to `most`; 0 if that takes too long. */
  async #counted(selection: AlertSelection, most: number): Promise<number> {
    try {
      return await this.#reader.count(selection, most, COUNTED_WITHIN_MS);
    } catch (error) {
      if (error instanceof InvalidError) return 0;
      throw error;
    }
  }

  async #selection(asked: CountAlertsQuery, teamId: string | undefined): Promise<AlertSelection> {
    const { searchIdentifier: identifier, searchIdentifierType: type } = asked;
    const saved = async (): Promise<string | undefined> =>
      identifier === undefined ? undefined : (await this.#searches.get({ type, value: identifier }, teamId)).query;
    const query = asked.query ?? (await saved());
    const search = query === undefined ? undefined : await searchFor(query, this.#directory);
    return { teamId, search };
  }
}

/**
 * Whether index keys suffice to count. They never do for a search with a team's key, which adds a term to the search.
 */
function isCounted({ teamId, search }: AlertSelection): boolean {
  return search === undefined || (teamId === undefined && decidedByIndex(search.query));
}

async function pageOf<T extends { readonly position: Position }>(
  { offset, direction, order, limit }: AlertHistoryQuery,
  alertId: string,
  read: (listing: HistoryListing) => Promise<readonly T[]>,
): Promise<HistoryPage<T>> {
  const after = cursor(offset);
  const forward = direction === 'next';
  const reversed = order === 'asc' ? 'desc' : 'asc';
  const found = await read({ alertId, after, order: forward ? order : reversed, limit: limit + 1 });
  const more = found.length > limit;
  const kept = found.slice(0, limit);
  const entries = forward ? kept : kept.toReversed();
  // Going back, the page that follows in the listing's order is the one that the caller came from.
  const follows = forward ? more : after !== undefined;
  return { entries, next: follows ? entries.at(-1)?.position : undefined };
}

function cursor(offset: string | undefined): Position | undefined {
  if (offset === undefined) return undefined;
  const position = parsePosition(offset);
  if (position === undefined) throw InvalidError.ofFields({ offset: 'should be an offset of an earlier answer' });
  return position;
}
