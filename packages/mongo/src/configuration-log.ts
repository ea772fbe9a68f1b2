import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const CONFIGURATION_LOG = 'configuration_log';

/** By collection, the ids of the entities that were written or removed. */
export type ChangedIds = ReadonlyMap<string, ReadonlySet<string>>;

interface LogDocument {
  /** The revision. */
  readonly _id: number;
  readonly changed: readonly { readonly collection: string; readonly ids: readonly string[] }[];
}

/** How many revisions the log has. A reader that is further behind loads everything. */
const KEPT_REVISIONS = 100;

const changedIn = new WeakMap<Session, Map<string, Set<string>>>();

/** Notes that the transaction of `session` writes or removes an entity, for {@link ConfigurationLog.append}. */
export function noteChanged(session: Session, collection: string, id: string): void {
  const changed = changedIn.get(session) ?? new Map<string, Set<string>>();
  changedIn.set(session, changed.set(collection, (changed.get(collection) ?? new Set()).add(id)));
}

/**
 * The changes of the last 100 revisions, so that a process that holds one of them reads only the changes. A revision without an
 * entry was made by a write that appends none: a process that holds an earlier one loads everything.
 */
export class ConfigurationLog {
  readonly #documents: mongo.Collection<LogDocument>;

  constructor(connection: Connection) {
    this.#documents = collectionOf(connection, CONFIGURATION_LOG);
  }

  /** Stores the noted changes of the transaction that makes `revision`. Call it when all writes of the transaction are noted. */
  async append(session: Session, revision: number): Promise<void> {
    const changed = [...(changedIn.get(session) ?? [])].map(([collection, ids]) => ({ collection, ids: [...ids] }));
    await this.#documents.bulkWrite(
      [
        { replaceOne: { filter: { _id: revision }, replacement: { changed }, upsert: true } },
        { deleteMany: { filter: { _id: { $lte: revision - KEPT_REVISIONS } } } },
      ],
      { session },
    );
  }

  /** The changes after `from` (exclusive) up to `to` (inclusive); undefined when they are not known. */
  async between(session: Session, from: number, to: number): Promise<ChangedIds | undefined> {
    const entries = await this.#documents.find({ _id: { $gt: from, $lte: to } }, { session }).toArray();
    if (entries.length !== to - from) return undefined;
    const changed = new Map<string, Set<string>>();
    for (const { collection, ids } of entries.flatMap((entry) => entry.changed))
      changed.set(collection, new Set([...(changed.get(collection) ?? []), ...ids]));
    return changed;
  }
}
