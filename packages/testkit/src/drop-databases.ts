import { mongo } from 'mongoose';

/** Databases whose names begin alike. */
interface OwnDatabases {
  readonly uri: string;
  readonly databasePrefix: string;
}

/** Drops all databases under a prefix. MongoDB copies its list of all collections whenever one is created, so thousands that are left behind slow it down. */
export async function dropDatabases({ databasePrefix, uri }: OwnDatabases): Promise<void> {
  const client = new mongo.MongoClient(uri);
  try {
    const admin = client.db('admin').admin();
    const { databases } = await admin.listDatabases({ nameOnly: true, filter: { name: RegExp(`^${databasePrefix}`) } });
    await Promise.all(databases.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}
