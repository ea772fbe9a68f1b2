import { RESTORES, type RestoreMarker } from '@tocsin/mongo';
import type { mongo } from 'mongoose';

const markers = (client: mongo.MongoClient, database: string): mongo.Collection<RestoreMarker> =>
  client.db(database).collection<RestoreMarker>(RESTORES);

/** Those of `databases` whose restore has begun and not ended. */
export async function markedDatabases(
  client: mongo.MongoClient,
  databases: Iterable<string>,
): Promise<readonly string[]> {
  const marked: string[] = [];
  for (const database of databases)
    if ((await markers(client, database).findOne({ _id: 'running' })) !== null) marked.push(database);
  return marked;
}

/** Marks all databases, or none of them. */
export async function mark(
  client: mongo.MongoClient,
  databases: readonly string[],
  { backup, startedAt }: Omit<RestoreMarker, '_id'>,
): Promise<void> {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      for (const database of databases)
        await markers(client, database).replaceOne(
          { _id: 'running' },
          { backup, startedAt },
          { upsert: true, session },
        );
    }),
  );
}

/** Removes the marker from all databases, or from none of them. */
export async function unmark(client: mongo.MongoClient, databases: readonly string[]): Promise<void> {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      for (const database of databases) await markers(client, database).deleteOne({ _id: 'running' }, { session });
    }),
  );
}
