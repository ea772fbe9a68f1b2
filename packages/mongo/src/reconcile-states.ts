import { compareVersions, nextVersion, type Version } from '@tocsin/events';
import type { Connection, mongo } from 'mongoose';
import { changeConfiguration, flushAfterCommit } from './change-configuration.ts';
import type { Announcements, StateSource } from './configuration-collection.ts';
import { collectionOf, type Session } from './connection.ts';
import { Revision } from './revision.ts';

/** Options of {@link reconcileStates}. */
export interface ReconcileOptions {
  readonly connection: Connection;
  /** The collection of the entities, each document with its `version`. */
  readonly collection: string;
  readonly load: StateSource<unknown>['load'];
  readonly announcements: Announcements;
  /** The newest version of each entity on the topic by id, read before the call. */
  readonly onTopic: ReadonlyMap<string, { readonly version: Version; readonly deleted: boolean }>;
  /**
   * Where given, the entities that a backup brings back are deleted and not published again, because they may have been ended since the backup.
   * These are the entities that are older than on the topic or deleted there, and those that the topic lacks and that were created before this
   * instant. The topic lacks entities whose tombstones have expired. A newer entity that it lacks may be on its way to the topic.
   */
  readonly deleteCreatedBefore?: Date;
  /**
   * Called in each transaction that deletes or publishes entities that a restore has changed, so that a crash afterwards cannot lose its
   * effect. It may be called several times.
   */
  readonly afterRestore?: (session: Session) => Promise<void>;
}

interface VersionedDocument {
  readonly _id: string;
  readonly version: Version;
  readonly createdAt?: Date;
}

/** An entity that is newer on the topic than in the database. */
interface OutdatedEntity {
  readonly id: string;
  readonly onTopic: { readonly version: Version; readonly deleted: boolean };
  /** Undefined when the database has no such entity. */
  readonly stored: Version | undefined;
}

const PAGE_SIZE = 100;

/**
 * Republishes the entities of a database that was restored from a backup and is therefore older than its topic. Returns the ids
 * of the entities that it published. It returns none without a restore, because the outbox publishes an entity only after its
 * version is committed.
 *
 * An entity that is older in the database, or deleted on the topic, gets a new epoch, so its present state is newer than every
 * state that readers have. It publishes a tombstone for each entity that only the topic has. Several processes may call it at the
 * same time. Call it before anything else writes entities.
 *
 * @throws UnavailableError as `changeConfiguration` does.
 */
export async function reconcileStates(parts: ReconcileOptions): Promise<readonly string[]> {
  const { connection, onTopic } = parts;
  const changed: string[] = await deleteRestored(parts);
  const entries = [...onTopic];
  for (let start = 0; start < entries.length; start += PAGE_SIZE) {
    const outdated = await findOutdated(parts, entries.slice(start, start + PAGE_SIZE));
    if (outdated.length === 0) continue;
    const published = await parts.load(outdated.map(({ id }) => id));
    await changeConfiguration(connection, async (session) => {
      await new Revision(connection).increment(session);
      const renewed: string[] = [];
      for (const each of outdated) {
        const isPublished = published.has(each.id);
        if (await renew(parts, each, { isPublished, session })) renewed.push(each.id);
      }
      await parts.announcements.addStates(session, [...(await parts.load(renewed, session)).values()]);
      await parts.afterRestore?.(session);
      flushAfterCommit(session, parts.announcements);
    });
    changed.push(...outdated.map(({ id }) => id));
  }
  return [...new Set(changed)];
}

/** Deletes the entities that a backup brought back, and returns their ids. */
async function deleteRestored(parts: ReconcileOptions): Promise<string[]> {
  const { deleteCreatedBefore: createdBefore } = parts;
  if (createdBefore === undefined) return [];
  const documents = documentsOf(parts);
  // A copy from before the database is read: by a version that is published later, an entity that was not restored would look older.
  const onTopic = new Map(parts.onTopic);
  const isRestored = ({ _id, createdAt, version }: VersionedDocument): boolean => {
    const known = onTopic.get(_id);
    if (known === undefined) return createdAt === undefined || createdAt < createdBefore;
    return known.deleted || compareVersions(known.version, version) > 0;
  };
  const restored: VersionedDocument[] = [];
  const found = documents.find({}, { projection: { version: 1, createdAt: 1 }, readConcern: { level: 'majority' } });
  for await (const document of found) if (isRestored(document)) restored.push(document);
  const deleted: string[] = [];
  for (let start = 0; start < restored.length; start += PAGE_SIZE)
    deleted.push(...(await deletePage(parts, restored.slice(start, start + PAGE_SIZE), onTopic)));
  return deleted;
}

/** Deletes restored entities in one transaction, and returns the ids of those that it has deleted. */
async function deletePage(
  parts: ReconcileOptions,
  restored: readonly VersionedDocument[],
  onTopic: ReconcileOptions['onTopic'],
): Promise<readonly string[]> {
  const { afterRestore, announcements, connection } = parts;
  return changeConfiguration(connection, async (session) => {
    const deleted: string[] = [];
    for (const { _id, version: stored } of restored) {
      const { epoch, n } = stored;
      const filter = { _id, 'version.epoch': epoch, 'version.n': n };
      const { deletedCount } = await documentsOf(parts).deleteOne(filter, { session });
      // Another process has deleted it, or written it since: the majority read of a new primary may be older than the topic.
      if (deletedCount === 0) continue;
      const published = onTopic.get(_id)?.version ?? stored;
      const latest = compareVersions(published, stored) > 0 ? published : stored;
      await announcements.addTombstone(session, _id, nextVersion(latest));
      deleted.push(_id);
    }
    if (deleted.length > 0) await afterRestore?.(session);
    flushAfterCommit(session, announcements);
    return deleted;
  });
}

async function findOutdated(
  parts: ReconcileOptions,
  entries: readonly (readonly [string, OutdatedEntity['onTopic']])[],
): Promise<readonly OutdatedEntity[]> {
  const found = await documentsOf(parts)
    .find(
      { _id: { $in: entries.map(([id]) => id) } },
      { projection: { version: 1 }, readConcern: { level: 'majority' } },
    )
    .toArray();
  const stored = new Map(found.map(({ _id, version }) => [_id, version]));
  return entries
    .map(([id, onTopic]) => ({ id, onTopic, stored: stored.get(id) }))
    .filter(({ onTopic: { deleted, version }, stored: ownVersion }) => {
      if (ownVersion === undefined) return !deleted;
      const ahead = compareVersions(version, ownVersion);
      return deleted ? ahead >= 0 : ahead > 0;
    });
}

/** Gives an outdated entity a new version, or adds a tombstone where the database does not have it. Returns whether the state is to be published. */
async function renew(
  parts: ReconcileOptions,
  { id, onTopic, stored }: OutdatedEntity,
  { isPublished, session }: { readonly isPublished: boolean; readonly session: Session },
): Promise<boolean> {
  const { announcements } = parts;
  if (stored === undefined) {
    // It may have been created since. Besides, a majority read from a new primary may be older than the topic; a read in a transaction is not.
    const found = await documentsOf(parts).findOne({ _id: id }, { session, projection: { _id: 1 } });
    if (found === null) await announcements.addTombstone(session, id, nextVersion(onTopic.version));
    return false;
  }
  const version = { epoch: onTopic.version.epoch + 1, n: 1 };
  const { epoch, n } = stored;
  const { matchedCount } = await documentsOf(parts).updateOne(
    { _id: id, 'version.epoch': epoch, 'version.n': n },
    { $set: { version } },
    { session },
  );
  // Another process has renewed it.
  if (matchedCount === 0) return false;
  if (!isPublished && !onTopic.deleted) await announcements.addTombstone(session, id, version);
  return isPublished;
}

function documentsOf({ collection, connection }: ReconcileOptions): mongo.Collection<VersionedDocument> {
  return collectionOf(connection, collection);
}
