/** A connection to MongoDB. */
interface OpenDatabase {
  readonly db?: { collections(): Promise<readonly { deleteMany(filter: object): Promise<unknown> }[]> } | undefined;
}

/**
 * Gives one database, made by `open`, to all tests of a file. Each call empties it and keeps its indexes, because making indexes takes
 * longer than most tests. The test file closes it.
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
