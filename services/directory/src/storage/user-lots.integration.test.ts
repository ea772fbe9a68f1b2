import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/contracts';
import { emptiedDatabase } from '@tocsin/testing';
import { mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { plansOf } from '../testing/query-plans.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import { describeUserLots } from './user-lots.contract.ts';

const openEmptied = emptiedDatabase(openMigrated);
const create = async () => mongoDirectory(await openEmptied());

describeUserLots('MongoUserLots', create);

describe('lots of users in MongoDB', () => {
  it('are announced, those who changed', async () => {
    const { users, lots, publisher } = await create();
    for (const name of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(name));
    const before = publisher.published.length;
    await lots.changeAll(['user-ada', 'user-bob', 'user-cyd'], (user) => ({
      user: user.id === 'user-bob' ? user : { ...user, notificationRules: [] },
      answer: undefined,
    }));
    const announced = publisher.published.slice(before);
    expect(announced.map(({ topic, key }) => `${topic} ${key}`).toSorted()).toEqual([
      `${Users.name} user-ada`,
      `${Users.name} user-cyd`,
    ]);
    expect(announced[0]?.message).toMatchObject({ version: { n: 2 }, state: { notificationRules: [] } });
  });

  it('are found by an index', async () => {
    const { connection, users, lots } = await create();
    await users.insert(sampleUser('ada'));
    const byId = ['users: IXSCAN { _id: 1 }'];
    for (const among of [undefined, ['user-ada', 'user-bob']])
      for (const after of [undefined, 'user-a'])
        expect(await plansOf(connection, () => lots.next({ among, after, limit: 100 }))).toEqual(byId);
    const plans = await plansOf(connection, () =>
      lots.changeAll(['user-ada', 'user-bob'], (user) => ({ user: { ...user, tags: [] }, answer: undefined })),
    );
    expect(plans.filter((plan) => plan.startsWith('users'))).toEqual(['users: IDHACK', ...byId]);
  });
});
