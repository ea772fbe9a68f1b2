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

/** Whoever is further behind loads everything. */
const KEPT = 100;

const changedIn = new WeakMap<Session, Map<string, Set<string>>>();

/** Notes what the transaction of `session` writes or removes, for {@link ConfigurationLog.append}. */
export function noteChanged(session: Session, collection: string, id: string): void {
  const changed = changedIn.get(session) ?? new Map<string, Set<string>>();
  changedIn.set(session, changed.set(collection, (changed.get(collection) ?? new Set()).add(id)));
}

/**
 * What the last 100 revisions changed, so that who holds an earlier one reads no more than that. A revision without an entry was
 * made by a write that keeps none: whoever is behind that loads everything.
 */
export class ConfigurationLog {
  readonly #documents: mongo.Collection<LogDocument>;

  constructor(connection: Connection) {
    this.#documents = collectionOf(connection, CONFIGURATION_LOG);
  }

  /** The last step of the transaction that makes `revision`: all that it wrote is noted by then. */
  async append(session: Session, revision: number): Promise<void> {
    const changed = [...(changedIn.get(session) ?? [])].map(([collection, ids]) => ({ collection, ids: [...ids] }));
    await this.#documents.bulkWrite(
      [
        { replaceOne: { filter: { _id: revision }, replacement: { changed }, upsert: true } },
        { deleteMany: { filter: { _id: { $lte: revision - KEPT } } } },
      ],
      { session },
    );
  }

  /** What changed after `from` until `to`; undefined when that is not known. */
  async between(session: Session, from: number, to: number): Promise<ChangedIds | undefined> {
    const entries = await this.#documents.find({ _id: { $gt: from, $lte: to } }, { session }).toArray();
    if (entries.length !== to - from) return undefined;
    const changed = new Map<string, Set<string>>();
    for (const { collection, ids } of entries.flatMap((entry) => entry.changed))
      changed.set(collection, new Set([...(changed.get(collection) ?? []), ...ids]));
    return changed;
  }
}
