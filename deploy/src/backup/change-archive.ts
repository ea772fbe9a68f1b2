import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@tocsin/events';
import { RESTORES } from '@tocsin/mongo';
import { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';
import { addChangeSet, changesFile, FORMAT, type ChangeSet } from './backup-folder.ts';
import { clusterTimeOf, latestMoment, momentOfToken } from './cluster-time.ts';
import { NOT_BACKED_UP } from './databases.ts';
import { KEEP_TYPES, writeRecords } from './records.ts';

/** Which document a change is of. */
interface ChangedDocument {
  readonly database: string;
  readonly service: ServiceName;
  readonly collection: string;
  readonly id: unknown;
}

/** One record of a change set. */
export type ChangeRecord =
  | { readonly service: ServiceName; readonly collection: string; readonly document: mongo.Document }
  | { readonly service: ServiceName; readonly collection: string; readonly deleted: unknown };

interface ChangeEvent {
  readonly operationType: string;
  readonly clusterTime: mongo.Timestamp;
  readonly ns: { readonly db: string; readonly coll?: string };
  readonly documentKey?: { readonly _id: unknown };
}

export interface ChangeArchiveOptions {
  readonly client: mongo.MongoClient;
  readonly databases: ReadonlyMap<string, ServiceName>;
  readonly folder: string;
  /** The id of the backup. */
  readonly backup: string;
  /** The number of the first set. */
  readonly sequence: number;
  /** Changes from this moment on, inclusive, are archived. */
  readonly from: mongo.Timestamp;
}

/** How many changed documents one set has at most. Their ids are in memory. */
const MAX_DOCUMENTS = 20_000;
const IDS_PER_READ = 200;
const WAIT_FOR_CHANGES_MS = 250;
/** The end of the archive moves on so often where nothing changes. */
const EMPTY_SET_EVERY_MS = 60_000;
const CHANGES_OF_DOCUMENTS = ['insert', 'update', 'replace', 'delete'];
/** The oplog no longer has the moment at which the archive goes on. */
const HISTORY_LOST = 286;
/** The moment is too old to be read, or an index or a collection was made after it. A later moment can be read. */
const UNREADABLE_MOMENT = [239, 246];

/**
 * Archives what changes in the databases, as sets of changed documents.
 *
 * The change stream only says which documents changed. Their content is read at one moment, up to which the stream has been read: a
 * snapshot of the replica set. So the sets up to one that is exact, on top of an older state, give the state of its moment, in which no
 * transaction is cut. Sets may repeat each other's changes.
 */
export class ChangeArchive {
  readonly #options: ChangeArchiveOptions;
  readonly #stream: mongo.ChangeStream;
  /** By database, collection and id. */
  #changed = new Map<string, ChangedDocument>();
  /** The moment of the last event. */
  #seen: mongo.Timestamp;
  #sequence: number;
  #writtenAt = performance.now();

  constructor(options: ChangeArchiveOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
    this.#seen = options.from;
    const { client, databases, from } = options;
    this.#stream = client.watch(
      [
        { $match: { 'ns.db': { $in: [...databases.keys()] }, 'ns.coll': { $nin: NOT_BACKED_UP } } },
        { $project: { operationType: 1, clusterTime: 1, ns: 1, documentKey: 1 } },
      ],
      { ...KEEP_TYPES, startAtOperationTime: from, maxAwaitTimeMS: WAIT_FOR_CHANGES_MS },
    );
  }

  async close(): Promise<void> {
    await this.#stream.close();
  }

  /**
   * Collects changes for `durationMs` and archives them. It ends earlier when `isWanted` is false, and archives no set while nothing changes.
   *
   * @throws TroubleError when the archive cannot go on without another backup, or a driver error.
   */
  async archive(durationMs: number, isWanted: () => boolean): Promise<ChangeSet | undefined> {
    const until = performance.now() + durationMs;
    while (isWanted() && performance.now() < until && !this.#isFull) await this.#readNext();
    if (this.#isFull) return this.#addInexact();
    if (this.#changed.size === 0 && performance.now() - this.#writtenAt < EMPTY_SET_EVERY_MS) return undefined;
    return this.cut();
  }

  /** Archives all that changed before the call, in a last set that is exact. @throws as `archive`. */
  async cut(): Promise<ChangeSet> {
    for (;;) {
      const moment = await latestMoment(this.#options.client);
      await this.#waitForMajority(moment);
      const later = await this.#readThrough(moment);
      if (later === undefined) continue;
      try {
        return await this.#add({ isExact: true, through: moment }, later);
      } catch (error) {
        if (!(error instanceof mongo.MongoServerError) || !UNREADABLE_MOMENT.includes(Number(error.code))) throw error;
        for (const [key, change] of later) this.#changed.set(key, change);
      }
    }
  }

  get #isFull(): boolean {
    return this.#changed.size >= MAX_DOCUMENTS;
  }

  /** A change stream shows a write only once a majority has it, and a snapshot waits for that. */
  async #waitForMajority(moment: mongo.Timestamp): Promise<void> {
    const [database = ''] = this.#options.databases.keys();
    await this.#options.client
      .db(database)
      .command({ find: RESTORES, limit: 1, singleBatch: true, readConcern: snapshotAt(moment) });
  }

  /**
   * Reads the stream until it has shown all changes up to `moment`. Returns those that are later, which it has shown too; undefined where
   * the changes were too many, and a set of them was archived.
   */
  async #readThrough(moment: mongo.Timestamp): Promise<Map<string, ChangedDocument> | undefined> {
    const later = new Map<string, ChangedDocument>();
    for (;;) {
      const event = await this.#read();
      if (event === undefined) {
        if (momentOfToken(this.#stream.resumeToken).compare(moment) >= 0) return later;
        continue;
      }
      const [key, change] = changeOf(event, this.#options.databases);
      if (event.clusterTime.compare(moment) > 0) {
        later.set(key, change);
        return later;
      }
      this.#changed.set(key, change);
      if (!this.#isFull) continue;
      await this.#addInexact();
      return undefined;
    }
  }

  async #readNext(): Promise<void> {
    const event = await this.#read();
    if (event === undefined) return;
    const [key, change] = changeOf(event, this.#options.databases);
    this.#changed.set(key, change);
  }

  async #read(): Promise<ChangeEvent | undefined> {
    try {
      const event = (await this.#stream.tryNext()) as unknown as ChangeEvent | null;
      if (event === null) return undefined;
      this.#seen = event.clusterTime;
      return event;
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError) || error.code !== HISTORY_LOST) throw error;
      throw new TroubleError(
        'The oplog of MongoDB no longer has the changes with which the archive goes on. Take another backup, and follow it. A larger oplog keeps them longer.',
      );
    }
  }

  /** Archives the changes of the stream while it is late: too old for a snapshot, so the content is newer than the changes. */
  async #addInexact(): Promise<ChangeSet> {
    return this.#add({ isExact: false, through: this.#seen }, new Map());
  }

  async #add(
    { isExact, through }: { readonly isExact: boolean; readonly through: mongo.Timestamp },
    later: Map<string, ChangedDocument>,
  ): Promise<ChangeSet> {
    const { backup, folder } = this.#options;
    const readConcern = isExact ? snapshotAt(through) : { level: 'majority', afterClusterTime: through };
    const name = `${String(this.#sequence).padStart(8, '0')}-${randomUUID()}`;
    const content = await writeRecords(folder, changesFile(name), this.#contents(readConcern));
    const { t, i } = clusterTimeOf(through);
    const changeSet = {
      format: FORMAT,
      backup,
      sequence: this.#sequence,
      isExact,
      through: { t, i },
      content,
    } as const;
    addChangeSet(folder, changeSet);
    this.#sequence += 1;
    this.#changed = later;
    this.#writtenAt = performance.now();
    return changeSet;
  }

  /** What the changed documents are. */
  async *#contents(readConcern: object): AsyncGenerator<ChangeRecord> {
    const byCollection = Map.groupBy(this.#changed.values(), ({ collection, database }) => `${database}.${collection}`);
    for (const changes of byCollection.values())
      for (let start = 0; start < changes.length; start += IDS_PER_READ)
        yield* this.#contentsOf(changes.slice(start, start + IDS_PER_READ), readConcern);
  }

  async *#contentsOf(changes: readonly ChangedDocument[], readConcern: object): AsyncGenerator<ChangeRecord> {
    const [first] = changes;
    if (first === undefined) return;
    const { collection, database, service } = first;
    const gone = new Map(changes.map(({ id }) => [keyOf(id), id]));
    const filter = { _id: { $in: [...gone.values()] } };
    const found: AsyncIterable<mongo.Document> = this.#options.client
      .db(database)
      .runCursorCommand({ find: collection, filter, readConcern }, { ...KEEP_TYPES });
    for await (const document of found) {
      gone.delete(keyOf(document['_id'] as unknown));
      yield { service, collection, document };
    }
    for (const deleted of gone.values()) yield { service, collection, deleted };
  }
}

const snapshotAt = (moment: mongo.Timestamp): object => ({ level: 'snapshot', atClusterTime: moment });

const keyOf = (id: unknown): string => Buffer.from(mongo.BSON.serialize({ id })).toString('base64');

/** @throws TroubleError when the change is not of a document. */
function changeOf(
  { documentKey, ns: { coll: collection, db: database }, operationType }: ChangeEvent,
  databases: ChangeArchiveOptions['databases'],
): readonly [string, ChangedDocument] {
  const service = databases.get(database);
  const isOfDocument = CHANGES_OF_DOCUMENTS.includes(operationType) && documentKey !== undefined;
  if (!isOfDocument || collection === undefined || service === undefined)
    throw new TroubleError(
      `${database}.${collection ?? ''} was changed as a whole (${operationType}), which no service does. Take another backup.`,
    );
  const id = documentKey._id;
  return [`${database}.${collection}/${keyOf(id)}`, { database, service, collection, id }];
}
