import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testMongo } from '@tocsin/testkit';
import {
  collectionOf,
  connectMongo,
  isDuplicateKey,
  migrate,
  missingFrom,
  type Connection,
  type IndexPlan,
} from './index.ts';

let connection: Connection;

beforeAll(async () => {
  connection = await connectMongo({ ...(await testMongo()) });
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describe('migrate', () => {
  const plans = [
    {
      collection: 'people',
      keys: { name: 1 },
      options: { unique: true, name: 'name_unique' },
      serves: 'one of a name',
    },
    { collection: 'empty', keys: { _id: 1 }, serves: 'nothing' },
  ] as const;

  it('makes indexes and collections, at several replicas at once and again', async () => {
    await Promise.all([migrate(connection, plans), migrate(connection, plans)]);
    await migrate(connection, plans);
    const people = collectionOf<{ name: string }>(connection, 'people');
    await people.insertOne({ name: 'Ada' });
    const again = await people.insertOne({ name: 'Ada' }).catch((error: unknown) => error);
    expect(isDuplicateKey(again, 'name_unique')).toBe(true);
    const names = await connection.listCollections();
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['people', 'empty']));
  });

  it('makes an index anew that exists with other options, at several replicas at once', async () => {
    const plan = { collection: 'statuses', keys: { at: 1 }, serves: 'the end of statuses' } as const;
    await migrate(connection, [{ ...plan, options: { expireAfterSeconds: 60 } }]);
    const statuses = collectionOf(connection, 'statuses');
    await Promise.all([migrate(connection, [plan]), migrate(connection, [plan])]);
    expect((await statuses.indexes()).map(({ key, expireAfterSeconds }) => [key, expireAfterSeconds])).toEqual([
      [{ _id: 1 }, undefined],
      [{ at: 1 }, undefined],
    ]);
  });

  it('leaves a unique index as it is, and says that it is in the way', async () => {
    const changed = { ...plans[0], options: { name: 'name_unique' } };
    await expect(migrate(connection, [changed])).rejects.toThrow('name_unique');
    expect(await collectionOf(connection, 'people').indexExists('name_unique')).toBe(true);
  });
});

describe('missingFrom', () => {
  const plans = [
    { collection: 'v-cars', keys: { _id: 1 }, serves: 'this test' },
    { collection: 'v-cars', keys: { plate: 1 }, options: { unique: true, name: 'plate' }, serves: 'this test' },
    { collection: 'v-cars', keys: { at: -1 }, options: { expireAfterSeconds: 60 }, serves: 'this test' },
    { collection: 'v-cars', keys: { at: -1, plate: 1 }, serves: 'this test' },
    {
      collection: 'v-people',
      keys: { name: 1 },
      options: { unique: true, sparse: true, collation: { locale: 'en', strength: 2 } },
      serves: 'this test',
    },
    {
      collection: 'v-people',
      keys: { at: 1 },
      options: { partialFilterExpression: { at: { $exists: true } } },
      serves: '',
    },
  ] as const;

  it('names every missing collection and index, and makes none of them', async () => {
    await connection.db?.createCollection('v-people');
    expect(await missingFrom(connection, plans)).toEqual(['v-cars', 'v-people: {"name":1}', 'v-people: {"at":1}']);
    expect(await missingFrom(connection, plans)).toHaveLength(3);
  });

  it('names nothing once all were made', async () => {
    await migrate(connection, plans);
    expect(await missingFrom(connection, plans)).toEqual([]);
  });

  it('accepts another time of expiry, so that old and new processes start beside each other', async () => {
    await migrate(connection, plans);
    const plan = { ...plans[2], options: { expireAfterSeconds: 61 } };
    expect(await missingFrom(connection, [plan])).toEqual([]);
  });

  it.each([
    ['an expiry that is not planned', { keys: { at: -1 } }],
    ['another guarantee', { keys: { plate: 1 }, options: { name: 'plate' } }],
    ['another name', { keys: { plate: 1 }, options: { unique: true, name: 'other' } }],
    ['another order of keys', { keys: { plate: 1, at: -1 } }],
  ])('names an index that is there with %s', async (_, changed) => {
    await migrate(connection, plans);
    const plan = { collection: 'v-cars', serves: 'this test', ...changed } as IndexPlan;
    expect(await missingFrom(connection, [plan])).toEqual([`v-cars: ${JSON.stringify(changed.keys)}`]);
  });
});
