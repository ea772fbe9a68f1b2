import { nextVersion, type StateMessage, type Version } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import type { Connection, mongo } from 'mongoose';
import { changeConfiguration, flushAfter } from './change-configuration.ts';
import { noteChanged, type ChangedIds } from './configuration-log.ts';
import { collectionOf, type Session } from './connection.ts';
import { asUnavailable, duplicateIndex } from './failures.ts';
import { Revision } from './revision.ts';

/** What everything configured has. Lists are in the order of `createdAt`, then `id` (E7). */
export interface ConfigurationEntity {
  readonly id: string;
  readonly createdAt: Date;
}

/** An entity as its document holds it. What is undefined is absent, at every depth. */
export type Stored<T extends ConfigurationEntity> = Omit<T, 'id'> & { readonly _id: string };

/** What a {@link ConfigurationCollection} has to know about a kind of configuration. `D` is its document. */
export interface ConfigurationKind<T extends ConfigurationEntity, D = Stored<T>> {
  readonly collection: string;
  /**
   * The message of the 409 when the unique index of that name refuses the entity (E14). Not needed where writes are decided on
   * a `ConfigurationSnapshot`, which finds the namesake itself.
   */
  readonly conflict?: (entity: T, index: string) => string;
  /**
   * False where nothing that a service compiles is made of these entities: a write of one then makes nobody load what they hold
   * anew. Only writers of the same entity are kept apart then.
   */
  readonly movesRevision?: boolean;
  /** Makes the entity of its document. Needed where optional fields have to be there as undefined. */
  readonly read?: (document: D) => T;
  /** Makes the document of an entity. Needed where it holds more than the entity, or holds it in another form. */
  readonly write?: (entity: T) => D;
}

/** A kind whose entities other services know from a compacted topic. */
export interface AnnouncedKind<T extends ConfigurationEntity, S, D = Stored<T>> extends ConfigurationKind<T, D> {
  /** What the topic says of the entity; undefined while other services must not know it. */
  readonly message: (entity: T) => StateMessage<S> | undefined;
}

/** Notes, in the transaction of a change, that the topic has to hear of it. `StateOutbox` does. */
export interface Announcements {
  changed(session: Session, id: string): Promise<void>;
  deleted(session: Session, id: string, version: Version): Promise<void>;
  /** Publishes what is committed. Never throws, takes 2 s at most. */
  flush(): Promise<void>;
}

/** What a `StateOutbox` reads. */
export interface StateSource<S> {
  /** The present states of those of `ids` that others may know. */
  readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, StateMessage<S>>>;
  /** Every id, in any order. */
  readonly ids: () => AsyncIterable<string>;
}

/** What to write in one step. Each of `put` is created, or replaced as a whole. */
export interface Writes<T> {
  readonly put?: readonly T[];
  readonly removed?: readonly T[];
}

/** `stored`, with missing fields as undefined: a write that changes nothing is recognised by comparing all fields. */
export const withMissing = <T extends object>(lacking: Partial<T>, stored: T): T => ({ ...lacking, ...stored });

type AnyDocument = mongo.Document & { readonly _id: string };

/** What finds documents: a MongoDB filter. */
type Filter = Readonly<Record<string, unknown>>;

/** The part of a kind that does not depend on the type of its documents. */
type AnyKind<T extends ConfigurationEntity> = Omit<ConfigurationKind<T, never>, 'write'> & {
  readonly write?: (entity: T) => { readonly _id: string };
  readonly message?: (entity: T) => StateMessage<unknown> | undefined;
};

/** How long the database may work on one read outside of a transaction, in milliseconds. */
const LONGEST_READ_MS = 2_000;

/** The driver would store undefined as null. */
const ABSENT = { ignoreUndefined: true };

/**
 * Stores the entities of one kind of configuration: integrations, schedules, policies, heartbeats.
 *
 * A write is one transaction. It writes the document, moves the {@link Revision} of the database unless the kind says that it
 * does not and, where the kind is announced, notes what the topic has to hear. It resolves after the topic was told, or after 2 s when Kafka is away; the
 * outbox tells it later then.
 *
 * To write several entities together, or to check others first, pass the session of {@link changeConfiguration} to each read
 * and write. Nobody else changes configuration between what you read there and what you write.
 *
 * The service adds the indexes: a unique one for each name (E14), and `{createdAt: 1, _id: 1}` where a list may be long.
 *
 * Every method throws UnavailableError while MongoDB is away, or works on one read for more than 2 s (E2).
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

  /** `announcements` is needed where `kind` is announced. */
  constructor(connection: Connection, kind: AnyKind<T>, announcements?: Announcements) {
    this.#connection = connection;
    this.#kind = kind;
    this.#announcements = announcements;
    this.#documents = documentsOf(connection, kind);
    this.#revision = new Revision(connection);
  }

  /** The entity that matches. A filter that may match several belongs to {@link list}. */
  async find(filter: Filter, session?: Session): Promise<T | undefined> {
    const found = await read(session, this.#documents.findOne(filter, bounded(session)));
    return found === null ? undefined : entityOf(this.#kind, found);
  }

  /** All that match, in the order of their creation (E7). */
  async list(filter: Filter = {}, session?: Session): Promise<readonly T[]> {
    const found = this.#documents.find(filter, bounded(session)).sort({ createdAt: 1, _id: 1 });
    return (await read(session, found.toArray())).map((document) => entityOf(this.#kind, document));
  }

  /** @throws ConflictError when the id or a unique field is taken. */
  async insert(entity: T, session?: Session): Promise<void> {
    await this.#in(session, async (own) => {
      await this.#refusing(entity, this.#documents.insertOne(this.#documentOf(entity), { session: own, ...ABSENT }));
      await this.#tell(own, entity, undefined);
    });
  }

  /**
   * Replaces the entity that matches by what `change` makes of it. No other write comes in between. Nothing is written when
   * `change` returns its argument. It may run several times, and what it throws is thrown.
   *
   * @returns the entity as it is then; undefined when none matches.
   * @throws ConflictError when a unique field is taken.
   */
  async update(filter: Filter, change: (present: T) => T, session?: Session): Promise<T | undefined> {
    return this.#in(session, async (own) => {
      const present = await this.find(filter, own);
      if (present === undefined) return undefined;
      const changed = change(present);
      if (changed !== present) await this.#replace(changed, present, own);
      return changed;
    });
  }

  /** Removes the entity that matches and returns it; undefined when none matches. */
  async remove(filter: Filter, session?: Session): Promise<T | undefined> {
    return this.#in(session, async (own) => {
      const present = await this.find(filter, own);
      if (present !== undefined) await this.#delete(present, own);
      return present;
    });
  }

  /**
   * Writes what was decided on the present entities, however many, in one round trip but for what topics have to hear. A name
   * that `removed` frees may be taken by `put`.
   */
  async write({ put = [], removed = [] }: Writes<T>, session: Session): Promise<void> {
    if (put.length + removed.length === 0) return;
    const deletions = removed.map(({ id }) => ({ deleteOne: { filter: { _id: id } } }));
    const replacements = put.map((entity) => {
      const { _id, ...replacement } = this.#documentOf(entity);
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
    await this.#documents.bulkWrite([...deletions, ...replacements], { session, ...ABSENT });
    for (const entity of removed) await this.#tell(session, undefined, entity);
    for (const entity of put) await this.#tell(session, entity, undefined);
  }

  /** What `before`, all entities as of an earlier revision, lacks, when only those of `changed` were written since. */
  async changesSince(before: readonly T[], changed: ChangedIds, session: Session): Promise<Writes<T>> {
    const ids = changed.get(this.#kind.collection);
    if (ids === undefined) return {};
    const put = await this.list({ _id: { $in: [...ids] } }, session);
    const there = new Set(put.map(({ id }) => id));
    return { put, removed: before.filter(({ id }) => ids.has(id) && !there.has(id)) };
  }

  async #replace(entity: T, before: T | undefined, session: Session): Promise<void> {
    const { _id, ...document } = this.#documentOf(entity);
    await this.#refusing(entity, this.#documents.replaceOne({ _id }, document, { session, upsert: true, ...ABSENT }));
    await this.#tell(session, entity, before);
  }

  async #delete(entity: T, session: Session): Promise<void> {
    await this.#documents.deleteOne({ _id: entity.id }, { session });
    await this.#tell(session, undefined, entity);
  }

  /**
   * Moves the revision after the document is written, so that a name that is taken is refused before the writers of other
   * entities are held up. Whoever knows the entity hears that it changed, or that it is gone or theirs to know no more.
   */
  async #tell(session: Session, now: T | undefined, before: T | undefined): Promise<void> {
    if (this.#kind.movesRevision !== false) await this.#revision.bump(session);
    for (const entity of [now, before])
      if (entity !== undefined) noteChanged(session, this.#kind.collection, entity.id);
    const [state, known] = [now, before].map((entity) => entity && this.#kind.message?.(entity));
    if (this.#announcements === undefined) return;
    if (state !== undefined) await this.#announcements.changed(session, state.id);
    else if (known !== undefined) await this.#announcements.deleted(session, known.id, nextVersion(known.version));
    flushAfter(session, this.#announcements);
  }

  #documentOf(entity: T): AnyDocument {
    const { id, ...rest } = entity;
    return this.#kind.write?.(entity) ?? { ...rest, _id: id };
  }

  async #refusing(entity: T, write: Promise<unknown>): Promise<void> {
    try {
      await write;
    } catch (error) {
      const index = duplicateIndex(error);
      const message = index && this.#kind.conflict?.(entity, index);
      throw message === undefined ? error : new ConflictError(message, { cause: error });
    }
  }

  #in<R>(session: Session | undefined, work: (session: Session) => Promise<R>): Promise<R> {
    return session === undefined ? changeConfiguration(this.#connection, work) : work(session);
  }
}

/** Reads the states of a kind for its `StateOutbox`. */
export function statesOf<T extends ConfigurationEntity, S, D>(
  connection: Connection,
  kind: AnnouncedKind<T, S, D>,
): StateSource<S> {
  const documents = documentsOf(connection, kind);
  return {
    load: async (ids) => {
      // A version that a fail-over takes back must not be published: replicas would pass over the next one under its number.
      const found = await documents.find({ _id: { $in: ids } }, { readConcern: { level: 'majority' } }).toArray();
      const messages = found.map((document) => kind.message(entityOf(kind, document)));
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

/** A transaction has a deadline of its own. */
function bounded(session: Session | undefined): mongo.FindOptions {
  return session === undefined ? { maxTimeMS: LONGEST_READ_MS } : { session };
}

/** Within a transaction its own loop has to see what the driver says. */
async function read<R>(session: Session | undefined, reading: Promise<R>): Promise<R> {
  if (session !== undefined) return reading;
  return reading.catch((error: unknown) => {
    throw asUnavailable(error);
  });
}
