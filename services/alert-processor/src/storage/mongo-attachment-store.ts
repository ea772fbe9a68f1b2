import { AppError, UnavailableError } from '@tocsin/errors';
import { collectionOf, inTransaction, type Connection, type Session } from '@tocsin/persistence';
import type { Attachment } from '../domain/attachment.ts';
import type { LogEntry } from '../domain/history.ts';
import type { AttachmentStore, IncomingFile } from '../ports/attachment-store.ts';
import { attachmentOf, DOOMED, type AttachmentDocument } from './attachment-document.ts';
import { ALERTS, ATTACHMENTS, LOGS, MAIL_FILES } from './collections.ts';
import { GridFiles } from './grid-files.ts';
import { logDocuments, type LogDocument } from './history-document.ts';
import { takeNumbers } from './mongo-counter.ts';
import { QUERY_TIMEOUT_MS, reading } from './reading.ts';

/** The alert fields that a file changes. `touchedBy` is new each time, so a concurrent batch on the alert conflicts. */
interface TouchedAlert {
  readonly _id: string;
  readonly touchedBy: string;
  readonly updatedAt: Date;
}

interface Filter {
  readonly _id?: { readonly $in: number[] };
  readonly goesAt?: { readonly $lte: Date };
  readonly state?: AttachmentDocument['state'];
}

/**
 * Rows are in a collection, bytes in GridFS. A row exists from before its first byte until after its last, so a sweep
 * of rows finds whatever a killed process left.
 */
export class MongoAttachmentStore implements AttachmentStore {
  readonly #connection: Connection;
  readonly #files: GridFiles;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#files = new GridFiles(connection);
  }

  async keep({ name, type, bytes, integrationId }: IncomingFile, until: Date): Promise<number> {
    const id = await takeNumbers(this.#connection, 'attachmentId', 1);
    await this.#rows().insertOne({
      _id: id,
      state: 'arriving',
      alertId: null,
      name,
      type,
      length: 0,
      goesAt: until,
      ...(integrationId !== undefined && { integrationId }),
    });
    try {
      const length = await this.#files.write(id, name, bytes);
      const kept = await this.#rows().updateOne({ _id: id, state: 'arriving' }, { $set: { state: 'kept', length } });
      if (kept.matchedCount === 0) throw new UnavailableError('The file took too long to arrive. Please try again.');
      return id;
    } catch (error) {
      // After a failure of the database a write may still arrive. Then the sweep removes the row and its bytes.
      if (error instanceof AppError) await this.discard(id).catch(() => undefined);
      throw error;
    }
  }

  async discard(id: number): Promise<void> {
    const doomed = { _id: id, alertId: null };
    const { matchedCount } = await this.#rows().updateOne(doomed, { $set: DOOMED });
    if (matchedCount > 0) await this.#erase([id]);
  }

  attach(id: number, entry: LogEntry, most: number): ReturnType<AttachmentStore['attach']> {
    const { alertId } = entry;
    return inTransaction(this.#connection, async (session) => {
      if ((await this.#rows().countDocuments({ alertId }, { session })) >= most) return 'full';
      const row = await this.#rows().findOne({ _id: id, state: 'kept' }, { session });
      if (row === null) return 'gone';
      if (!(await this.#touch(entry, session))) return 'no-alert';
      await this.#rows().updateOne({ _id: id }, { $set: { state: 'attached', alertId, goesAt: null } }, { session });
      return 'attached';
    });
  }

  detach(id: number, entry: LogEntry): Promise<boolean> {
    return inTransaction(this.#connection, async (session) => {
      const row = await this.#rows().findOne({ _id: id, alertId: entry.alertId }, { session });
      if (row === null || !(await this.#touch(entry, session))) return false;
      await this.#rows().updateOne({ _id: id }, { $set: DOOMED }, { session });
      return true;
    });
  }

  async listOf(alertId: string): Promise<readonly Attachment[]> {
    const rows = this.#rows().find({ alertId }, { sort: { _id: 1 }, maxTimeMS: QUERY_TIMEOUT_MS });
    return (await reading(rows.toArray())).map(attachmentOf);
  }

  async find(id: number): Promise<Attachment | undefined> {
    const row = await reading(this.#rows().findOne({ _id: id, state: 'attached' }));
    return row === null ? undefined : attachmentOf(row);
  }

  read({ id, length }: Attachment): AsyncIterable<Uint8Array> {
    return this.#files.read(id, length);
  }

  async sweep(now: Date, most: number): Promise<number> {
    const over = { goesAt: { $lte: now } };
    const found = await this.#idsOf(over, most);
    if (found.length === 0) return 0;
    const candidates = { _id: { $in: [...found] } };
    // From here on no alert can get them, because `attach` takes only a row that is `kept`.
    await this.#rows().updateMany({ ...candidates, ...over }, { $set: { state: 'doomed' } });
    await this.#erase(await this.#idsOf({ ...candidates, state: 'doomed' }, most));
    return found.length;
  }

  async mailBytes(least: number): Promise<ReadonlyMap<string, number>> {
    const bytes = { $sum: { $max: ['$length', least] } };
    const sums = this.#rows().aggregate<{ readonly _id: string; readonly bytes: number }>(
      [{ $match: { integrationId: { $gt: '' } } }, { $group: { _id: '$integrationId', bytes } }],
      { maxTimeMS: QUERY_TIMEOUT_MS, hint: MAIL_FILES },
    );
    return new Map((await reading(sums.toArray())).map(({ _id, bytes: sum }) => [_id, sum]));
  }

  due(now: Date): Promise<number> {
    return this.#rows().countDocuments({ goesAt: { $lte: now } });
  }

  async nextDueAt(): Promise<Date | undefined> {
    const next = await this.#rows().findOne({ goesAt: { $ne: null } }, { sort: { goesAt: 1 } });
    return next?.goesAt ?? undefined;
  }

  async #idsOf(filter: Filter, most: number): Promise<readonly number[]> {
    const rows = this.#rows().find(filter, { sort: { goesAt: 1 }, limit: most, projection: { _id: 1 } });
    return (await rows.toArray()).map(({ _id }) => _id);
  }

  async #erase(ids: readonly number[]): Promise<void> {
    await this.#files.remove(ids);
    await this.#rows().deleteMany({ _id: { $in: [...ids] }, state: 'doomed' });
  }

  /** Writes `entry` into the log of its alert; false if the alert does not exist (any more). */
  async #touch(entry: LogEntry, session: Session): Promise<boolean> {
    const { matchedCount } = await collectionOf<TouchedAlert>(this.#connection, ALERTS).updateOne(
      { _id: entry.alertId },
      { $set: { touchedBy: entry.entryId }, $max: { updatedAt: entry.createdAt } },
      { session },
    );
    if (matchedCount === 0) return false;
    await collectionOf<LogDocument>(this.#connection, LOGS).insertMany(logDocuments([entry]), { session });
    return true;
  }

  #rows() {
    return collectionOf<AttachmentDocument>(this.#connection, ATTACHMENTS);
  }
}
