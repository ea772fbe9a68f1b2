import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testMongo } from '@tocsin/testkit';
import { collectionOf, connectMongo, insertNew, migrate, type Connection } from './index.ts';

interface Entry {
  readonly _id: string;
  readonly text: string;
}

let connection: Connection;
const entries = () => collectionOf<Entry>(connection, 'entries');
const stored = () => entries().find().sort({ _id: 1 }).toArray();

beforeEach(async () => {
  connection = await connectMongo(await testMongo());
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describe('inserting what is new', () => {
  it('adds documents around those that are known, and those stay as they are', async () => {
    await insertNew(entries(), [{ _id: 'b', text: 'first' }]);
    const later = ['a', 'b', 'c', 'c'].map((_id) => ({ _id, text: 'later' }));
    await insertNew(entries(), later);
    await insertNew(entries(), later);
    await insertNew(entries(), []);
    expect(await stored()).toEqual([
      { _id: 'a', text: 'later' },
      { _id: 'b', text: 'first' },
      { _id: 'c', text: 'later' },
    ]);
  });

  it('says so when a document is refused for anything but its id, and adds the others', async () => {
    await migrate(connection, [
      { collection: 'entries', keys: { text: 1 }, options: { unique: true }, serves: 'this test' },
    ]);
    await insertNew(entries(), [{ _id: 'a', text: 'one' }]);
    const later = [
      { _id: 'a', text: 'known' },
      { _id: 'b', text: 'one' },
      { _id: 'c', text: 'two' },
    ];
    await expect(insertNew(entries(), later)).rejects.toThrow(/E11000/);
    expect((await stored()).map(({ _id }) => _id)).toEqual(['a', 'c']);
  });
});
