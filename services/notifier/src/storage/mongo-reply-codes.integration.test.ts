import { afterEach, describe, expect, it } from '@jest/globals';
import { openMongoStores, type MongoStores } from '../testing/mongo-stores.ts';
import { replyCode } from '../testing/act-samples.ts';
import { MongoReplyCodes } from './mongo-reply-codes.ts';
import { MongoRetainedRows } from './mongo-retained-rows.ts';
import { describeReplyCodes } from './reply-codes.contract.ts';

const opened: MongoStores[] = [];

async function open(): Promise<MongoStores> {
  const stores = await openMongoStores();
  opened.push(stores);
  return stores;
}

afterEach(async () => {
  for (const { connection } of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describeReplyCodes('MongoReplyCodes', async () => new MongoReplyCodes((await open()).connection));

describe('codes that were given to numbers', () => {
  it('go once they expired long ago', async () => {
    const { connection } = await open();
    const codes = new MongoReplyCodes(connection);
    const { expiresAt } = replyCode();
    await codes.keep(replyCode());
    await codes.keep(replyCode({ code: '8kqmxz', expiresAt: new Date(expiresAt.getTime() + 1) }));
    await new MongoRetainedRows(connection).remove('codes', expiresAt);
    expect(await codes.find('15551234567', '7kqmxz')).toBeUndefined();
    expect(await codes.find('15551234567', '8kqmxz')).toBeDefined();
  });
});
