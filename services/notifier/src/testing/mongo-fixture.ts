import { afterAll } from '@jest/globals';
import type { Connection } from '@tocsin/mongo';
import { emptiedDatabase, testMongo } from '@tocsin/testkit';
import { type MongoStores, openDatabase, type StoreOptions, storesOn } from './mongo-stores.ts';

/** Gives the stores on an empty database to one test after the other of a file. */
export function useStores(): (options?: StoreOptions) => Promise<MongoStores> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  const database = emptiedDatabase(async () => (opened = await openDatabase(await testMongo())));
  return async (options) => storesOn(await database(), options);
}
