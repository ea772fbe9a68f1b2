/** What is needed of a connection to MongoDB. */
interface OpenDatabase {
  readonly db?: { collections(): Promise<readonly { deleteMany(filter: object): Promise<unknown> }[]> } | undefined;
}

/**
 * Gives the database that `open` makes, once, for many tests of one file: at each call it is empty, with its indexes as they
 * were. To make indexes takes longer than most tests. The test that opens it closes it.
 */
export function emptiedDatabase<C extends OpenDatabase>(open: () => Promise<C>): () => Promise<C> {
  let opened: Promise<C> | undefined;
  return async () => {
    const connection = await (opened ??= open());
    const collections = (await connection.db?.collections()) ?? [];
    await Promise.all(collections.map((collection) => collection.deleteMany({})));
    return connection;
  };
}
