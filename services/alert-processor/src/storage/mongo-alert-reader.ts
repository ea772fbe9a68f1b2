import type { AlertIdentifier, AlertSortField } from '@tocsin/contracts';
import { collectionOf, type Connection } from '@tocsin/persistence';
import type { Alert, UnresolvedResponders } from '../domain/alert.ts';
import type { LogEntry, Note } from '../domain/history.ts';
import type { AlertListing, AlertReader, HistoryListing } from '../ports/alert-reader.ts';
import { ALERT_FIELDS, alertOf, type AlertDocument } from './alert-document.ts';
import { ALERTS, LOGS, NOTES } from './collections.ts';
import { logOf, noteOf, positionKey, type LogDocument, type NoteDocument } from './history-document.ts';
import { MOST_MS, reading } from './reading.ts';

/** Where a sort field lies in the document, for those that lie elsewhere than under their own name. */
const PATHS: Partial<Record<AlertSortField, string>> = {
  isSeen: 'seen',
  'report.ackTime': 'report.ackTimeMs',
  'report.closeTime': 'report.closeTimeMs',
};

const TINY = /^[1-9]\d{0,15}$/;

export class MongoAlertReader implements AlertReader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find({ type, value }: AlertIdentifier): Promise<Alert | undefined> {
    if (type === 'tiny' && !TINY.test(value)) return undefined;
    const filters = {
      id: { _id: value },
      alias: { alias: value, status: 'open' as const },
      tiny: { tinyId: Number(value) },
    };
    const found = await reading(this.#alerts().findOne(filters[type], { projection: ALERT_FIELDS }));
    return found === null ? undefined : alertOf(found);
  }

  async list({ teamId, sort, order, offset, limit }: AlertListing): Promise<readonly Alert[]> {
    const direction = order === 'asc' ? 1 : -1;
    const found = this.#alerts()
      .find(visibleTo(teamId), { maxTimeMS: MOST_MS, projection: ALERT_FIELDS })
      .sort({ [PATHS[sort] ?? sort]: direction, _id: direction })
      .skip(offset)
      .limit(limit);
    return (await reading(found.toArray())).map(alertOf);
  }

  count(teamId: string | undefined, most: number): Promise<number> {
    // Without the hint MongoDB reads whole alerts to count them.
    const hint = teamId === undefined ? { tinyId: 1 } : { seenBy: 1, createdAt: 1, _id: 1 };
    return reading(this.#alerts().countDocuments(visibleTo(teamId), { limit: most, maxTimeMS: MOST_MS, hint }));
  }

  estimate(): Promise<number> {
    return reading(this.#alerts().estimatedDocumentCount({ maxTimeMS: MOST_MS }));
  }

  async logs(listing: HistoryListing): Promise<readonly LogEntry[]> {
    const logs = collectionOf<LogDocument>(this.#connection, LOGS);
    const { filter, options } = stretch(listing);
    return (await reading(logs.find(filter, options).toArray())).map(logOf);
  }

  async notes(listing: HistoryListing): Promise<readonly Note[]> {
    const notes = collectionOf<NoteDocument>(this.#connection, NOTES);
    const { filter, options } = stretch(listing);
    return (await reading(notes.find(filter, options).toArray())).map(noteOf);
  }

  async unresolved(alertIds: readonly string[]): Promise<readonly UnresolvedResponders[]> {
    const found = await reading(
      this.#alerts()
        .find({ _id: { $in: [...alertIds] } }, { projection: { unresolved: 1 } })
        .toArray(),
    );
    return found.map(({ unresolved }) => unresolved).filter((unresolved) => unresolved !== null);
  }

  #alerts() {
    return collectionOf<AlertDocument>(this.#connection, ALERTS);
  }
}

function visibleTo(teamId: string | undefined): Record<string, unknown> {
  return teamId === undefined ? {} : { seenBy: teamId };
}

function stretch({ alertId, order, after, limit }: HistoryListing) {
  const beyond = order === 'asc' ? '$gt' : '$lt';
  const filter = { alertId, ...(after !== undefined && { position: { [beyond]: positionKey(after) } }) };
  return { filter, options: { sort: { position: order === 'asc' ? 1 : -1 } as const, limit, maxTimeMS: MOST_MS } };
}
