import { mongo } from 'mongoose';
import { AppError, UnavailableError } from '@tocsin/core';
import { collectionOf, type Connection, inTransaction, type Session } from '@tocsin/mongo';
import { type LogDocument, logDocuments } from '../alert-log/document.ts';
import type { LogEntry } from '../alert-log/entry.ts';
import {
  ALERTS,
  ATTACHMENT_BYTES,
  ATTACHMENTS,
  LOGS,
  MAIL_FILES,
  QUERY_TIMEOUT_MS,
  reading,
  takeNumbers,
} from '../database.ts';
import { type Attachment, type AttachmentDocument, attachmentOf, TO_DELETE } from './attachment.ts';

/** A file that is being uploaded. */
export interface IncomingFile extends Pick<Attachment, 'name' | 'type'> {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The integration that the mail with the file was sent to; absent if no mail brought it. */
  readonly integrationId?: string;
}

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
 * Stores files. A file of an alert always has all of its bytes, also when a process is killed at any moment.
 *
 * Rows are in a collection, bytes in GridFS. A row exists from before its first byte until after its last, so a sweep of rows finds all
 * bytes that a killed process left.
 */
export class AttachmentStore {
  readonly #connection: Connection;
  readonly #files: GridFiles;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#files = new GridFiles(connection);
  }

  /**
   * Keeps a file without an alert until `until`. It applies back-pressure to the bytes, and resolves with the id once
   * all are stored. If the bytes end with an error, it rejects and keeps nothing.
   */

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

  /** Removes a file that no alert has. */

  async discard(id: number): Promise<void> {
    const unattached = { _id: id, alertId: null };
    const { matchedCount } = await this.#rows().updateOne(unattached, { $set: TO_DELETE });
    if (matchedCount > 0) await this.#erase([id]);
  }

  /**
   * Attaches a kept file to the alert of `entry` and writes the entry into its log. It changes nothing and returns
   * `no-alert` if there is no such alert, `full` if it has `most` files, `gone` if the file is no longer kept.
   */

  attach(id: number, entry: LogEntry, most: number): Promise<'attached' | 'no-alert' | 'full' | 'gone'> {
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

  /** Removes a file from its alert and writes the entry into its log; false if the alert does not have it. */

  detach(id: number, entry: LogEntry): Promise<boolean> {
    return inTransaction(this.#connection, async (session) => {
      const row = await this.#rows().findOne({ _id: id, alertId: entry.alertId }, { session });
      if (row === null || !(await this.#touch(entry, session))) return false;
      await this.#rows().updateOne({ _id: id }, { $set: TO_DELETE }, { session });
      return true;
    });
  }

  /** The files of an alert, by id. */

  async listOf(alertId: string): Promise<readonly Attachment[]> {
    const rows = this.#rows().find({ alertId }, { sort: { _id: 1 }, maxTimeMS: QUERY_TIMEOUT_MS });
    return (await reading(rows.toArray())).map(attachmentOf);
  }

  /** Finds a file that an alert has. */

  async find(id: number): Promise<Attachment | undefined> {
    const row = await reading(this.#rows().findOne({ _id: id, state: 'attached' }));
    return row === null ? undefined : attachmentOf(row);
  }

  /** The bytes of a file that an alert has, read with back-pressure. */

  read({ id, length }: Attachment): AsyncIterable<Uint8Array> {
    return this.#files.read(id, length);
  }

  /** Removes up to `most` files without an alert whose time is over at `now`. Returns how many. */

  async sweep(now: Date, most: number): Promise<number> {
    const over = { goesAt: { $lte: now } };
    const found = await this.#idsOf(over, most);
    if (found.length === 0) return 0;
    const candidates = { _id: { $in: [...found] } };
    // From here on no alert can get them, because `attach` takes only a row that is `kept`.
    await this.#rows().updateMany({ ...candidates, ...over }, { $set: { state: 'to-delete' } });
    await this.#erase(await this.#idsOf({ ...candidates, state: 'to-delete' }, most));
    return found.length;
  }

  /** The bytes of the files of mails by integration, with or without an alert. A file counts as `least` bytes or more. */

  async mailBytes(least: number): Promise<ReadonlyMap<string, number>> {
    const bytes = { $sum: { $max: ['$length', least] } };
    const sums = this.#rows().aggregate<{ readonly _id: string; readonly bytes: number }>(
      [{ $match: { integrationId: { $gt: '' } } }, { $group: { _id: '$integrationId', bytes } }],
      { maxTimeMS: QUERY_TIMEOUT_MS, hint: MAIL_FILES },
    );
    return new Map((await reading(sums.toArray())).map(({ _id, bytes: sum }) => [_id, sum]));
  }

  /** How many files a sweep at `now` would remove. */

  due(now: Date): Promise<number> {
    return this.#rows().countDocuments({ goesAt: { $lte: now } });
  }

  /** When the time of the next file without an alert is over. */

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
    await this.#rows().deleteMany({ _id: { $in: [...ids] }, state: 'to-delete' });
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

interface ChunkDocument {
  readonly files_id: number;
  readonly n: number;
  readonly data: mongo.Binary;
}

/**
 * Chunks are large, because each waits for a majority of the servers. A write larger than a chunk would be several
 * concurrent inserts, and one of them could still land after a failure was reported.
 */
const CHUNK_BYTES = 1_048_576;
/** How many chunks are held while a file is read. The driver's own reader would hold 16 MB. */
const READ_AHEAD = 2;

/** The bytes of files in GridFS, under our own ids. */
export class GridFiles {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Writes a file with back-pressure; resolves with its length. If anything fails, it removes the written bytes. */
  async write(id: number, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const file = this.#bucket().openUploadStreamWithId(id as unknown as mongo.ObjectId, name, {
      chunkSizeBytes: CHUNK_BYTES,
    });
    const step = (begin: (done: (error?: Error | null) => void) => unknown) =>
      new Promise<void>((resolve, reject) => {
        begin((error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    try {
      // The callback of a step gets its error. Without this listener the event would end the process.
      file.on('error', () => undefined);
      for await (const chunk of bytes)
        for (let at = 0; at < chunk.length; at += CHUNK_BYTES)
          await step((done) => file.write(chunk.subarray(at, at + CHUNK_BYTES), done));
      await step((done) => file.end(done));
      return file.length;
    } catch (error) {
      await this.remove([id]).catch(() => undefined);
      throw error;
    }
  }

  /** @throws Error at the end when bytes are missing, which aborts the download. */
  async *read(id: number, length: number): AsyncGenerator<Uint8Array, void> {
    let left = length;
    const chunks = this.#chunks().find({ files_id: id }, { sort: { n: 1 }, batchSize: READ_AHEAD });
    try {
      for await (const { data } of chunks) {
        left -= data.length();
        yield data.value();
      }
    } finally {
      await chunks.close();
    }
    if (left !== 0) throw new Error(`File ${String(id)} is not whole: ${String(left)} bytes are missing.`);
  }

  /** Removes files and all their chunks. */
  async remove(ids: readonly number[]): Promise<void> {
    const wanted = [...ids];
    await collectionOf<{ _id: number }>(this.#connection, `${ATTACHMENT_BYTES}.files`).deleteMany({
      _id: { $in: wanted },
    });
    await this.#chunks().deleteMany({ files_id: { $in: wanted } });
  }

  #chunks() {
    return collectionOf<ChunkDocument>(this.#connection, `${ATTACHMENT_BYTES}.chunks`);
  }

  #bucket(): mongo.GridFSBucket {
    if (this.#connection.db === undefined) throw new TypeError('The connection was never opened.');
    return new mongo.GridFSBucket(this.#connection.db, { bucketName: ATTACHMENT_BYTES });
  }
}
