import { nextVersion, type StateMessage, type Version } from '@tocsin/events';
import { ConflictError, mapInSteps, type Put } from '@tocsin/core';
import type { Connection, mongo } from 'mongoose';
import { changeConfiguration, flushAfterCommit } from './change-configuration.ts';
import { noteChanged, type ChangedIds } from './configuration-log.ts';
import { collectionOf, readOptions, type Session } from './connection.ts';
import { duplicateIndex, orUnavailable } from './failures.ts';
import { Revision } from './revision.ts';

/** The fields that every configured entity has. Lists are in the order of `createdAt`, then `id` (E7). */
export interface ConfigurationEntity {
  readonly id: string;
  readonly createdAt: Date;
}

/** The document of an entity. Undefined fields are absent in it, at every depth. */
export type Stored<T extends ConfigurationEntity> = Omit<T, 'id'> & { readonly _id: string };

/** Describes a kind of configuration to a {@link ConfigurationCollection}. `D` is its document. */
export interface ConfigurationKind<T extends ConfigurationEntity, D = Stored<T>> {
  readonly collection: string;
  /**
   * The message of the 409 when the unique index `index` refuses the entity (E14). Not needed where writes are decided on a
   * `ConfigurationSnapshot`, which finds duplicate names itself.
   */
  readonly conflict?: (entity: T, index: string) => string;
  /**
   * False where no {@link Revision} covers these entities: a write then makes no process reload compiled configuration, and excludes
   * only writers of the same entity.
   */
  readonly incrementsRevision?: boolean;
  /** Converts a document to its entity. Needed where optional fields have to be present as undefined. */
  readonly read?: (document: D) => T;
  /** Converts an entity to its document. Needed where the document has further fields or another form. */
  readonly write?: (entity: T) => D;
}

/** A kind whose entities are published on a compacted topic. */
export interface AnnouncedKind<T extends ConfigurationEntity, S, D = Stored<T>> extends ConfigurationKind<T, D> {
  /** The entity's state on the topic; undefined while it is not to be published. */
  readonly message: (entity: T) => StateMessage<S> | undefined;
}

/**
 * Adds, to the transaction of a change, the messages that announce it to other services. The outbox publishes them later. `EntityStates`
 * is one.
 */
export interface Announcements {
  addStates(session: Session, states: readonly StateMessage<unknown>[]): Promise<void>;
  /** `version` is greater than that of the last state. */
  addTombstone(session: Session, id: string, version: Version): Promise<void>;
  /** The version of an entity that is created: `first`, or a later one where readers know that an entity with its id was deleted. */
  versionOfNew(session: Session, id: string, first: Version): Promise<Version>;
  /** Publishes the committed states. Never throws, takes 2 s at most. */
  flush(): Promise<void>;
}

/** Where `EntityStates` reads the entities. */
export interface StateSource<S> {
  /**
   * The states of those of `ids` that are to be published, as the transaction of `session` sees them; without one, as a majority
   * of the replica set has them.
   */
  readonly load: (ids: readonly string[], session?: Session) => Promise<ReadonlyMap<string, StateMessage<S>>>;
  /** Every id, in any order. */
  readonly ids: () => AsyncIterable<string>;
}

/** Entities to write in one step. Each of `put` is created, or replaced as a whole. */
export interface Writes<T> {
  readonly put?: readonly T[];
  readonly removed?: readonly T[];
}

/** `stored` with `absent`, the optional fields as undefined, where it has none of them. So two entities can be compared field by field. */
export const withMissing = <T extends object>(absent: Partial<T>, stored: T): T => ({ ...absent, ...stored });

type AnyDocument = mongo.Document & { readonly _id: string };

/** A MongoDB filter. */
export type Filter = Readonly<Record<string, unknown>>;

/** Which of the entities that match are read, in which order, and how much of each. */
export interface Selection<T, K extends keyof T> {
  /** The fields to read besides the id, in the form of the document; by default the whole entity. */
  readonly fields?: readonly K[];
  /** By default the order of creation (E7). */
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit?: number;
  readonly session?: Session | undefined;
}

const BY_CREATION = { createdAt: 1, _id: 1 } as const;

/** How many documents MongoDB sends at a time. */
const READ_BATCH = 200;

/** The part of a kind that does not depend on the type of its documents. */
type AnyKind<T extends ConfigurationEntity> = Omit<ConfigurationKind<T, never>, 'write'> & {
  readonly write?: (entity: T) => { readonly _id: string };
  readonly message?: (entity: T) => StateMessage<unknown> | undefined;
};

/** How long the database may work on one read outside of a transaction, in milliseconds. */
const READ_TIMEOUT_MS = 2_000;

/** The driver would store undefined as null. */
const ABSENT = { ignoreUndefined: true };

/**
 * Stores the entities of one kind of configuration: integrations, schedules, policies, teams, users.
 *
 * A write is one transaction: it writes the document, increments the {@link Revision} and, for an announced kind, adds the new
 * state to the outbox. It resolves once this process has published the state, after 2 s when Kafka is unavailable, or at once where
 * another process relays the topic.
 *
 * To write several entities together, or to check others first, pass the session of {@link changeConfiguration} to each read and
 * write. No other process changes configuration in between.
 *
 * The service adds the indexes: a unique one for each name (E14), and `{createdAt: 1, _id: 1}` where a list may be long.
 *
 * Every method throws UnavailableError while MongoDB is unavailable, or works on one read for more than 2 s (E2).
 *
 * @example
 * const policies = new ConfigurationCollection<Policy>(connection, {
 *   collection: 'policies',
 *   conflict: ({ name }) => `Policy with name [${name}] already exists.`,
 * });
 * await policies.insert(policy);
 * await policies.update({ _id: id }, (present) => ({ ...present, enabled: false }));
 * const ofTeam = await policies.list({ teamId });
 */
export class ConfigurationCollection<T extends ConfigurationEntity> {
  readonly #connection: Connection;
  readonly #kind: AnyKind<T>;
  readonly #announcements: Announcements | undefined;
  readonly #documents: mongo.Collection<AnyDocument>;
  readonly #revision: Revision;

  /** `announcements` is needed for an `AnnouncedKind`. */
  constructor(connection: Connection, kind: AnyKind<T>, announcements?: Announcements) {
    this.#connection = connection;
    this.#kind = kind;
    this.#announcements = announcements;
    this.#documents = documentsOf(connection, kind);
    this.#revision = new Revision(connection);
  }

  /** The entity that matches. For a filter that may match several, use {@link list}. */
  async find(filter: Filter, session?: Session): Promise<T | undefined> {
    const found = await orUnavailableOutside(session, this.#documents.findOne(filter, boundedReadOptions(session)));
    return found === null ? undefined : entityOf(this.#kind, found);
  }

  /** All that match, in the order of their creation (E7). */
  async list(filter: Filter = {}, session?: Session): Promise<readonly T[]> {
    return this.#read(filter, { session }, this.#kind);
  }

  /** A part of those that match: a page, or some fields of each. So a long list of large entities need not be read as a whole. */
  async select<K extends keyof T = keyof T>(
    filter: Filter,
    selection: Selection<T, K>,
  ): Promise<readonly Pick<T, K | 'id'>[]> {
    return this.#read(filter, selection, selection.fields === undefined ? this.#kind : {});
  }

  /** How many match, up to `limit`. Counts every write that {@link Revision.current} has counted before. */
  async count(filter: Filter = {}, { limit, session }: { limit?: number; session?: Session } = {}): Promise<number> {
    // Without a filter, the keys of an index are counted instead of the documents.
    const hint = Object.keys(filter).length === 0 ? { hint: '_id_' } : {};
    const bounds = session === undefined ? { maxTimeMS: READ_TIMEOUT_MS } : { session };
    return orUnavailableOutside(
      session,
      this.#documents.countDocuments(filter, { ...bounds, ...hint, ...(limit && { limit }) }),
    );
  }

  /**
   * Readers take the entity for newer than one with its id that was deleted: where that is needed, it gets a higher version.
   *
   * @throws ConflictError when the id or a unique field is taken.
   */
  async insert(entity: T, session?: Session): Promise<void> {
    await this.#inTransaction(session, (own) => this.#insert(entity, own));
  }

  /**
   * Replaces the entity that matches by the result of `change`. No other write comes in between. Nothing is written when `change`
   * returns its argument. It may run several times, and its errors are thrown.
   *
   * @returns the new entity; undefined when none matches.
   * @throws ConflictError when a unique field is taken.
   */
  async update(filter: Filter, change: (present: T) => T, session?: Session): Promise<T | undefined> {
    return this.#inTransaction(session, async (own) => {
      const present = await this.find(filter, own);
      if (present === undefined) return undefined;
      const changed = change(present);
      await this.replace(present, changed, own);
      return changed;
    });
  }

  /**
   * Writes the entity that has this id: replaces the present one by the result of `change`, or inserts the result where there is none. No
   * other write comes in between. Nothing is written when `change` returns its argument. It may run several times, and its errors are
   * thrown.
   *
   * @throws ConflictError when a unique field is taken.
   */
  async put(id: string, change: (present: T | undefined) => T, session?: Session): Promise<Put<T>> {
    return this.#inTransaction(session, async (own) => {
      const present = await this.find({ _id: id }, own);
      const entity = change(present);
      if (present === undefined) return { entity: await this.#insert(entity, own), present };
      await this.replace(present, entity, own);
      return { entity, present };
    });
  }

  /**
   * Replaces `present`, which was read in the transaction of `session`, by `changed`. Nothing is written when they are the same object.
   *
   * @throws ConflictError when a unique field is taken.
   */
  async replace(present: T, changed: T, session: Session): Promise<void> {
    if (changed === present) return;
    const { _id, ...document } = this.#documentOf(changed);
    await this.#orConflict(changed, this.#documents.replaceOne({ _id }, document, { session, ...ABSENT }));
    // An entity that is no longer to be published is deleted for readers.
    const isHidden = this.#messageOf(changed) === undefined;
    await this.#afterWrite(session, { put: [changed], removed: isHidden ? [present] : [] });
  }

  /**
   * Removes the entity that matches and returns it; undefined when none matches. Where `check` throws, its error is thrown and nothing is
   * removed. No other write comes between the check and the removal.
   */
  async remove(
    filter: Filter,
    session?: Session,
    check: (present: T) => void = () => undefined,
  ): Promise<T | undefined> {
    return this.#inTransaction(session, async (own) => {
      const present = await this.find(filter, own);
      if (present === undefined) return undefined;
      check(present);
      await this.#delete(present, own);
      return present;
    });
  }

  /**
   * Writes all entities in one round trip, and announces those that are to be published. A name that `removed` frees may be used by
   * `put`.
   */
  async write({ put = [], removed = [] }: Writes<T>, session: Session): Promise<void> {
    if (put.length + removed.length === 0) return;
    const deletions = removed.map(({ id }) => ({ deleteOne: { filter: { _id: id } } }));
    const replacements = put.map((entity) => {
      const { _id, ...replacement } = this.#documentOf(entity);
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
    await this.#documents.bulkWrite([...deletions, ...replacements], { session, ...ABSENT });
    await this.#afterWrite(session, { put, removed });
  }

  /**
   * How the present entities differ from `before`, which are all entities of an earlier revision. `changed`: those that were written
   * since.
   */
  async changesSince(before: readonly T[], changed: ChangedIds, session: Session): Promise<Writes<T>> {
    const ids = changed.get(this.#kind.collection);
    if (ids === undefined) return {};
    const put = await this.list({ _id: { $in: [...ids] } }, session);
    const presentIds = new Set(put.map(({ id }) => id));
    return { put, removed: before.filter(({ id }) => ids.has(id) && !presentIds.has(id)) };
  }

  #read<K extends keyof T>(
    filter: Filter,
    { fields, limit = 0, session, skip = 0, sort = BY_CREATION }: Selection<T, K>,
    kind: Pick<AnyKind<T>, 'read'>,
  ): Promise<readonly T[]> {
    const projection = fields && { projection: Object.fromEntries(['_id', ...fields].map((field) => [field, 1])) };
    const page = { sort, skip, limit, batchSize: READ_BATCH };
    const found = this.#documents.find(filter, { ...boundedReadOptions(session), ...projection, ...page });
    return orUnavailableOutside(
      session,
      mapInSteps(found, (document) => entityOf(kind, document)),
    );
  }

  /** Resolves with the entity as it is stored. */
  async #insert(entity: T, session: Session): Promise<T> {
    const stored = await this.#afterDeletion(entity, session);
    await this.#orConflict(stored, this.#documents.insertOne(this.#documentOf(stored), { session, ...ABSENT }));
    await this.#afterWrite(session, { put: [stored] });
    return stored;
  }

  async #afterDeletion(entity: T, session: Session): Promise<T> {
    const announcements = this.#announcements;
    if (announcements === undefined || !('version' in entity)) return entity;
    const first = entity.version as Version;
    const version = await announcements.versionOfNew(session, entity.id, first);
    return version === first ? entity : { ...entity, version };
  }

  async #delete(entity: T, session: Session): Promise<void> {
    await this.#documents.deleteOne({ _id: entity.id }, { session });
    await this.#afterWrite(session, { removed: [entity] });
  }

  /**
   * Increments the revision and announces the states of `put`, and the deletion of those of `removed` that were published. Called
   * after the documents are written, so that a duplicate name is refused before other writers have to wait for the revision.
   */
  async #afterWrite(session: Session, { put = [], removed = [] }: Writes<T>): Promise<void> {
    if (this.#kind.incrementsRevision !== false) await this.#revision.increment(session);
    for (const { id } of [...put, ...removed]) noteChanged(session, this.#kind.collection, id);
    const announcements = this.#announcements;
    if (announcements === undefined) return;
    for (const entity of removed) {
      const last = this.#messageOf(entity);
      if (last !== undefined) await announcements.addTombstone(session, last.id, nextVersion(last.version));
    }
    await announcements.addStates(
      session,
      put.flatMap((entity) => this.#messageOf(entity) ?? []),
    );
    flushAfterCommit(session, announcements);
  }

  #messageOf(entity: T): StateMessage<unknown> | undefined {
    return this.#kind.message?.(entity);
  }

  #documentOf(entity: T): AnyDocument {
    const { id, ...rest } = entity;
    return this.#kind.write?.(entity) ?? { ...rest, _id: id };
  }

  async #orConflict(entity: T, write: Promise<unknown>): Promise<void> {
    try {
      await write;
    } catch (error) {
      const index = duplicateIndex(error);
      const message = index && this.#kind.conflict?.(entity, index);
      throw message === undefined ? error : new ConflictError(message, { cause: error });
    }
  }

  #inTransaction<R>(session: Session | undefined, work: (session: Session) => Promise<R>): Promise<R> {
    return session === undefined ? changeConfiguration(this.#connection, work) : work(session);
  }
}

/** Where the `EntityStates` of a kind reads the entities. */
export function statesOf<T extends ConfigurationEntity, S, D>(
  connection: Connection,
  kind: AnnouncedKind<T, S, D>,
): StateSource<S> {
  const documents = documentsOf(connection, kind);
  return {
    load: async (ids, session) => {
      const found = documents.find({ _id: { $in: [...ids] } }, readOptions(session));
      const messages = await mapInSteps(found, (document) => kind.message(entityOf(kind, document)));
      return new Map(messages.flatMap((message) => (message === undefined ? [] : [[message.id, message]])));
    },
    ids: async function* () {
      for await (const { _id } of documents.find({}, { projection: { _id: 1 } })) yield _id;
    },
  };
}

function documentsOf(connection: Connection, { collection }: { readonly collection: string }) {
  return collectionOf<AnyDocument>(connection, collection);
}

function entityOf<T extends ConfigurationEntity>(kind: Pick<AnyKind<T>, 'read'>, document: mongo.Document): T {
  if (kind.read !== undefined) return kind.read(document as never);
  const { _id, ...rest } = document;
  return { ...rest, id: _id as string } as unknown as T;
}

/** As {@link readOptions}, with a time limit outside of a transaction, which has its own. */
function boundedReadOptions(session: Session | undefined): mongo.FindOptions {
  return { ...readOptions(session), ...(session === undefined && { maxTimeMS: READ_TIMEOUT_MS }) };
}

/** As `orUnavailable`, outside of a transaction. Within one the error stays as it is, because `inTransaction` retries by its labels. */
function orUnavailableOutside<R>(session: Session | undefined, reading: Promise<R>): Promise<R> {
  return session === undefined ? orUnavailable(reading) : reading;
}
