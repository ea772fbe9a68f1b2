import type { ServiceName } from '@tocsin/events';
import { collectionOf, connectMongo, type Connection } from '@tocsin/mongo';
import type { TestMongo } from '@tocsin/testkit';

/** The documents in all databases of an installation. */
export class Stored {
  readonly #mongo: Pick<TestMongo, 'uri' | 'databasePrefix'>;

  constructor(mongo: Pick<TestMongo, 'uri' | 'databasePrefix'>) {
    this.#mongo = mongo;
  }

  /**
   * The words that begin with `stem`, in lower case, by the collection in which they stand, sorted: of every document of every
   * collection, in keys, texts and bytes.
   */
  async wordsOf(stem: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { databasePrefix, uri } = this.#mongo;
    const connection = await connectMongo({ uri, database: `${databasePrefix}reader` });
    const client = connection.getClient();
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const words = new Map<string, Set<string>>();
    for (const { name } of databases.filter((database) => database.name.startsWith(databasePrefix))) {
      for (const collection of await client.db(name).collections()) {
        const documents = (await collection.find({}, { raw: true }).toArray()) as unknown as readonly Uint8Array[];
        const place = `${name.slice(databasePrefix.length)}.${collection.collectionName}`;
        for (const document of documents) {
          const text = Buffer.from(document).toString('utf8').toLowerCase();
          for (const [word] of text.matchAll(new RegExp(`${stem.toLowerCase()}\\w*`, 'g')))
            words.set(place, (words.get(place) ?? new Set()).add(word));
        }
      }
    }
    await connection.close();
    return Object.fromEntries([...words].map(([place, found]) => [place, [...found].sort()]));
  }

  /** Removes all rows of a collection of a service, as a fault might; answers how many those were. */
  lose(service: ServiceName, collection: string): Promise<number> {
    return this.#within(service, async (connection) => {
      const { deletedCount } = await collectionOf(connection, collection).deleteMany({});
      return deletedCount;
    });
  }

  /** The rows of a collection of a service that have these values. */
  rows<T extends object>(
    service: ServiceName,
    collection: string,
    values: Readonly<Record<string, string>>,
  ): Promise<readonly T[]> {
    return this.#within(service, async (connection) =>
      connection.collection(collection).find(values).project<T>({}).toArray(),
    );
  }

  /** The keys of the indexes of a collection of a service. */
  indexes(service: ServiceName, collection: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#within(service, async (connection) => {
      const found = await collectionOf(connection, collection).indexes();
      return found.map(({ key }) => key);
    });
  }

  /** Adds a row to a collection of a service, as if it had come to that. */
  async put(service: ServiceName, collection: string, row: { readonly _id: string }): Promise<void> {
    await this.#within(service, (connection) => collectionOf<{ _id: string }>(connection, collection).insertOne(row));
  }

  async #within<T>(service: ServiceName, work: (connection: Connection) => Promise<T>): Promise<T> {
    const { databasePrefix, uri } = this.#mongo;
    const connection = await connectMongo({ uri, database: `${databasePrefix}${service.replaceAll('-', '_')}` });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }
}
