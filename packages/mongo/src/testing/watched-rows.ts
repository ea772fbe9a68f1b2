import type { Connection } from 'mongoose';
import { collectionOf } from '../connection.ts';

/**
 * `connection`, but `looked` is called with the rows of its outbox at each look, after the answer of the database and before the look
 * ends. At that moment the rows are already out of date.
 */
export function watchedRows(connection: Connection, looked: (rows: readonly unknown[]) => Promise<void>): Connection {
  const rows = collectionOf(connection, 'outbox');
  const find = (...args: Parameters<typeof rows.find>): { toArray: () => Promise<unknown[]> } => ({
    toArray: async () => {
      const found = await rows.find(...args).toArray();
      await looked(found);
      return found;
    },
  });
  const watched = new Proxy(rows, {
    get: (target, name) => {
      if (name === 'find') return find;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const collection = (name: string): unknown => (name === 'outbox' ? watched : collectionOf(connection, name));
  const watch = connection.db?.watch.bind(connection.db);
  return { db: { collection, watch } } as unknown as Connection;
}
