import { afterAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { connectMongo, migrate, persistenceIndexes } from '@tocsin/mongo';
import { eventually, startMongo } from '@tocsin/testkit';
import type { SavedSearch } from '../searches/saved-search.ts';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { indexPlans } from '../database.ts';
import { MongoConfigurationStore } from './store.ts';
import { SavedSearchStore } from '../searches/store.ts';

const opened: Awaited<ReturnType<typeof openDatabase>>[] = [];

async function database() {
  const connection = await openDatabase();
  opened.push(connection);
  return connection;
}

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describe('MongoConfigurationStore', () => {
  it('does not reload when a saved search is written', async () => {
    const connection = await database();
    const [store, searches] = [new MongoConfigurationStore(connection), new SavedSearchStore(connection)];
    const before = await store.current();
    const at = new Date('2026-01-05T08:00:00Z');
    const names = { id: '1', name: 'Open', query: 'status:open', description: '' };
    const search: SavedSearch = { ...names, ownerId: 'ada', teamIds: [], createdAt: at, updatedAt: at };
    await searches.insert(search);
    await searches.change('1', { name: 'Shut' });
    await searches.remove('1');
    expect(await store.current()).toBe(before);
  });

  it('throws UnavailableError while MongoDB is unavailable, and recovers by itself', async () => {
    const mongo = await startMongo();
    const connection = await connectMongo({ uri: mongo.uri, database: 'alert-processor' });
    try {
      await migrate(connection, [...persistenceIndexes, ...indexPlans]);
      const store = new MongoConfigurationStore(connection);
      await store.current();
      await mongo.kill();
      await expect(store.current()).rejects.toThrow(UnavailableError);
      await expect(store.change(() => ({ answer: 1 }))).rejects.toThrow(UnavailableError);
      await mongo.restart();
      await eventually(async () => {
        expect(await store.change(() => ({ answer: 1 }))).toBe(1);
      });
    } finally {
      await connection.close();
      await mongo.stop();
    }
  });
});
