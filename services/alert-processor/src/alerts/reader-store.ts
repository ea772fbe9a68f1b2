import { longWork, mapInSteps } from '@tocsin/core';
import type { Filter } from '@tocsin/rules';
import type { AlertIdentifier } from '@tocsin/events';
import { collectionOf, type Connection } from '@tocsin/mongo';
import type { Alert } from './alert.ts';
import { listed as listedHistory, type HistoryListing, type LogEntry, type Note } from '../alert-log/entry.ts';
import { Recipients, recipientEvent, type Recipient } from '../alert-log/recipients.ts';
import type { AlertListing, AlertSelection } from './listing.ts';
import { ALERT_FIELDS, alertOf, type AlertDocument, type ReadAlert } from './document.ts';
import { indexOf, listed, selected, sorting, visible } from './selection-store.ts';
import { ALERTS, LOGS, NOTES, OPEN_ALIAS, QUERY_TIMEOUT_MS, reading, SEARCH_TIMEOUT_MS } from '../database.ts';
import { entriesOf, noteOf, positionKey, type LogDocument, type NoteDocument } from '../alert-log/document.ts';

/** The outcomes of findings that name a recipient. */
const RECIPIENT_OUTCOMES = ['paged', 'sent', 'delivered'];
/** The fields of a log document from which recipients are made. */
const TRACE_FIELDS = {
  createdAt: 1,
  position: 1,
  'entries.owner': 1,
  'entries.action': 1,
  'entries.decision.stage': 1,
  'entries.decision.subject': 1,
  'entries.decision.outcome': 1,
  'entries.decision.facts.userId': 1,
  'entries.decision.facts.username': 1,
  'entries.decision.facts.method': 1,
} as const;

/** How many documents of notes or logs one round trip reads. */
const DOCUMENTS_AT_ONCE = 25;

const TINY = /^[1-9]\d{0,15}$/;

/** Reads alerts, their logs and their notes. */
export class AlertReader {
  readonly #connection: Connection;
  readonly #searches: Connection;

  /** Lists and counts use the connections of `searches`, so that slow ones do not delay other reads. */
  constructor(connection: Connection, searches: Connection = connection) {
    this.#connection = connection;
    this.#searches = searches;
  }

  /** By alias it finds only an open alert, which `resolveAlias` chooses for a key of `teamId` (undefined: the account) (A16). */
  async find({ type, value }: AlertIdentifier, teamId?: string): Promise<Alert | undefined> {
    if (type === 'alias') return this.#resolveAlias(teamId, value);
    if (type === 'tiny' && !TINY.test(value)) return undefined;
    return this.#one(type === 'id' ? { _id: value } : { tinyId: Number(value) });
  }

  /** Alerts that compare equal are ordered by creation and tiny id, so that pages never overlap. */
  async list({ sort, order, offset, limit, ...selection }: AlertListing): Promise<readonly Alert[]> {
    const direction = order === 'asc' ? 1 : -1;
    const hint = indexOf(selection, sort);
    const options = { maxTimeMS: SEARCH_TIMEOUT_MS, projection: ALERT_FIELDS, ...(hint !== undefined && { hint }) };
    const found = this.#searched()
      .find(listed(selection, sort), options)
      .sort(sorting(sort, direction))
      .skip(offset)
      .limit(limit);
    return reading(mapInSteps<ReadAlert, Alert>(found, alertOf));
  }

  /** Counts alerts, up to `most`. @throws InvalidError when it takes longer than a search may, or than `withinMs`. */
  async count(selection: AlertSelection, most: number, withinMs = SEARCH_TIMEOUT_MS): Promise<number> {
    const { teamId, search } = selection;
    if (teamId !== undefined || search !== undefined) return this.#counted(selected(selection), most, withinMs);
    // The estimate may be slightly off, but not by half.
    if ((await this.estimate()) > 2 * most) return most;
    // Without the hint MongoDB reads whole alerts to count them.
    const options = { limit: most, maxTimeMS: withinMs, hint: { tinyId: 1 } };
    return reading(this.#searched().countDocuments({}, options));
  }

  /** A fast count of all alerts; slightly off after a crash of the database. */
  estimate(): Promise<number> {
    return reading(this.#searched().estimatedDocumentCount({ maxTimeMS: SEARCH_TIMEOUT_MS }));
  }

  async logs(listing: HistoryListing): Promise<readonly LogEntry[]> {
    const logs = collectionOf<LogDocument>(this.#connection, LOGS);
    const { filter, options } = pageFilter(listing);
    const page = async (): Promise<readonly LogEntry[]> => {
      // Entries of different documents never interleave. One may have a thousand, so it reads no more than it needs.
      const entries = (await this.#logWithin(listing)).flatMap((document) =>
        listedHistory(entriesOf(document), listing),
      );
      for await (const document of logs.find(filter, { ...options, batchSize: DOCUMENTS_AT_ONCE })) {
        if (entries.length >= listing.limit) break;
        if (longWork.isPauseDue()) await longWork.pause();
        entries.push(...listedHistory(entriesOf(document), listing));
      }
      return entries.slice(0, listing.limit);
    };
    return reading(page());
  }

  async notes(listing: HistoryListing): Promise<readonly Note[]> {
    const notes = collectionOf<NoteDocument>(this.#connection, NOTES);
    const { filter, options } = pageFilter(listing);
    return reading(mapInSteps(notes.find(filter, { ...options, batchSize: DOCUMENTS_AT_ONCE }), noteOf));
  }

  /** The users whom the flow of the alert reached, with their states, in the order of the first time; at most `most`. */
  recipients(alertId: string, most: number): Promise<readonly Recipient[]> {
    const aboutRecipients = [
      { 'entries.decision.outcome': { $in: [...RECIPIENT_OUTCOMES] } },
      { 'entries.action': { $exists: true } },
    ];
    const documents = collectionOf<LogDocument>(this.#connection, LOGS).find(
      { alertId, $or: aboutRecipients },
      { projection: TRACE_FIELDS, maxTimeMS: QUERY_TIMEOUT_MS },
    );
    const fold = async (): Promise<readonly Recipient[]> => {
      const recipients = new Recipients();
      for await (const document of documents) {
        if (longWork.isPauseDue()) await longWork.pause();
        for (const event of entriesOf(document).map(recipientEvent)) if (event !== undefined) recipients.add(event);
      }
      return recipients.rows(most);
    };
    return reading(fold());
  }

  /** An ascending page may begin inside a document: the last that begins at or before the cursor. */
  async #logWithin({ alertId, order, after }: HistoryListing): Promise<readonly LogDocument[]> {
    if (order === 'desc' || after === undefined) return [];
    const before = { alertId, position: { $lte: positionKey(after) } };
    const found = await collectionOf<LogDocument>(this.#connection, LOGS).findOne(before, {
      sort: { position: -1 },
      maxTimeMS: QUERY_TIMEOUT_MS,
    });
    return found === null ? [] : [found];
  }

  async #resolveAlias(teamId: string | undefined, alias: string): Promise<Alert | undefined> {
    const open = { alias, status: 'open' } as const;
    const own = await this.#one({ ...open, ownerTeamId: teamId ?? null });
    if (own !== undefined) return own;
    // An alias has few open alerts, but a team has many: without the hint MongoDB may read the team's.
    return this.#one({ $and: [open, ...visible(teamId)] }, { sort: sorting('createdAt', -1), hint: OPEN_ALIAS });
  }

  async #one(
    filter: Filter,
    options: { sort?: Record<string, 1 | -1>; hint?: string } = {},
  ): Promise<Alert | undefined> {
    const found = await reading(this.#alerts().findOne(filter, { ...options, projection: ALERT_FIELDS }));
    return found === null ? undefined : alertOf(found);
  }

  /**
   * Uses the `count` command, which counts index keys if they suffice. The driver's `countDocuments` aggregates
   * documents.
   */
  async #counted(query: Filter, most: number, withinMs: number): Promise<number> {
    const limit = most < Number.MAX_SAFE_INTEGER ? { limit: most } : {};
    const command = this.#searches.db?.command({ count: ALERTS, query, ...limit, maxTimeMS: withinMs });
    if (command === undefined) throw new TypeError('The connection was never opened.');
    const { n } = await reading(command);
    return Number(n);
  }

  #searched() {
    return collectionOf<AlertDocument>(this.#searches, ALERTS);
  }

  #alerts() {
    return collectionOf<AlertDocument>(this.#connection, ALERTS);
  }
}

function pageFilter({ alertId, order, after, limit }: HistoryListing) {
  const beyond = order === 'asc' ? '$gt' : '$lt';
  const filter = { alertId, ...(after !== undefined && { position: { [beyond]: positionKey(after) } }) };
  return {
    filter,
    options: { sort: { position: order === 'asc' ? 1 : -1 } as const, limit, maxTimeMS: QUERY_TIMEOUT_MS },
  };
}
