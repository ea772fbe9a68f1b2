import { afterAll } from '@jest/globals';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { MongoSavedSearchStore } from './mongo-saved-search-store.ts';
import { describeSavedSearchStore } from './saved-search-store.contract.ts';

const opened: Awaited<ReturnType<typeof openDatabase>>[] = [];

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describeSavedSearchStore('Mongo', async () => {
  const connection = await openDatabase();
  opened.push(connection);
  return new MongoSavedSearchStore(connection);
});
