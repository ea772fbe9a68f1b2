import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import { ConflictError, UnavailableError } from '@tocsin/core';
import { anotherProcess, emptyStores, storeUsers } from '../testing/mongo-fixture.ts';
import { plansOf } from '../testing/query-plans.ts';
import { sampleUser } from '../testing/stored-samples.ts';

describe('UserBatchStore', () => {
  const withUsers = async (...names: string[]) => {
    const stores = await emptyStores();
    for (const each of names) await stores.users.insert(sampleUser(each));
    return stores;
  };

  it('visits each user once, by id', async () => {
    const { userBatches } = await withUsers('cyd', 'ada', 'bob');
    const [ada, bob] = await userBatches.next({ among: undefined, after: undefined, limit: 2 });
    const { id, username, contacts } = sampleUser('ada');
    expect(ada).toEqual({ id, username, contacts });
    expect(bob?.id).toBe('user-bob');
    const after = (last: string) => userBatches.next({ among: undefined, after: last, limit: 2 });
    expect((await after('user-bob')).map((user) => user.id)).toEqual(['user-cyd']);
    expect(await after('user-cyd')).toEqual([]);
  });

  it('visits the requested ones who exist', async () => {
    const { userBatches } = await withUsers('cyd', 'ada', 'bob');
    const among = ['user-cyd', 'unknown', 'user-ada'];
    const ids = async (after?: string) => (await userBatches.next({ among, after, limit: 9 })).map(({ id }) => id);
    expect(await ids()).toEqual(['user-ada', 'user-cyd']);
    expect(await ids('user-ada')).toEqual(['user-cyd']);
    expect(await userBatches.next({ among: [], after: undefined, limit: 9 })).toEqual([]);
  });

  it('changes those who exist, and does not write unchanged ones', async () => {
    const { users, userBatches } = await withUsers('cyd', 'ada', 'bob');
    const answers = await userBatches.changeAll(['user-cyd', 'unknown', 'user-ada', 'user-ada'], (user) => ({
      user: user.id === 'user-ada' ? { ...user, tags: ['seen'] } : user,
      answer: user.username,
    }));
    expect(answers).toEqual(['ada@example.com', 'cyd@example.com']);
    expect(await users.find({ id: 'user-ada' })).toMatchObject({ tags: ['seen'], version: { n: 2 } });
    expect(await users.find({ id: 'user-cyd' })).toMatchObject({ version: { n: 1 } });
    expect(
      await userBatches.changeAll([], () => {
        throw new Error('no user is asked for');
      }),
    ).toEqual([]);
  });

  it('changes no user when the change of one is refused', async () => {
    const { users, userBatches } = await withUsers('ada', 'bob');
    const refusing = userBatches.changeAll(['user-ada', 'user-bob'], (user) => {
      if (user.id === 'user-bob') throw new ConflictError('no');
      return { user: { ...user, tags: [] }, answer: undefined };
    });
    await expect(refusing).rejects.toThrow('no');
    expect(await users.find({ id: 'user-ada' })).toMatchObject({ tags: ['night'], version: { n: 1 } });
  });

  it('loses no change that others make at the same time', async () => {
    const { users, userBatches } = await withUsers('ada', 'bob');
    const add = (tag: string) =>
      userBatches.changeAll(['user-ada', 'user-bob'], (user) => ({
        user: { ...user, tags: [...user.tags, tag] },
        answer: 0,
      }));
    const rename = users.change({ id: 'user-ada' }, (user) => ({ user: { ...user, fullName: 'Ada L' }, answer: 0 }));
    await Promise.all([...['a', 'b', 'c', 'd', 'e'].map(add), rename]);
    const ada = await users.find({ id: 'user-ada' });
    expect([ada?.tags.length, ada?.fullName, ada?.version.n]).toEqual([6, 'Ada L', 7]);
  });
});

describe('batches of users in MongoDB', () => {
  it('are announced, those who changed', async () => {
    const { users, userBatches, publisher } = await emptyStores();
    for (const name of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(name));
    const before = publisher.published.length;
    await userBatches.changeAll(['user-ada', 'user-bob', 'user-cyd'], (user) => ({
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

  it('are changed without a new start, while another process writes without a pause', async () => {
    const stores = await emptyStores();
    const { users, userBatches } = stores;
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
    await storeUsers(
      stores.connection,
      [...names, 'ada'].map((name) => sampleUser(name)),
    );
    const other = await anotherProcess(stores);
    const stop = new AbortController();
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1)
        await other.users
          .change({ id: 'user-ada' }, (user) => ({ user: { ...user, tags: [`${n}`] }, answer: undefined }))
          .catch((error: unknown) => {
            if (!(error instanceof UnavailableError)) throw error;
          });
    })();
    let decisions = 0;
    const ids = names.map((name) => `user-${name}`);
    for (let n = 1; n <= 5; n += 1) {
      await userBatches.changeAll(ids, (user) => {
        decisions += 1;
        return { user: { ...user, tags: [`${n}`] }, answer: undefined };
      });
    }
    stop.abort();
    await writing;
    expect(decisions).toBe(5 * names.length);
    expect(await users.find({ id: 'user-n0' })).toMatchObject({ tags: ['5'], version: { n: 6 } });
  });

  it('are found by an index', async () => {
    const { connection, users, userBatches } = await emptyStores();
    await users.insert(sampleUser('ada'));
    const byId = ['users: IXSCAN { _id: 1 }'];
    for (const among of [undefined, ['user-ada', 'user-bob']])
      for (const after of [undefined, 'user-a'])
        expect(await plansOf(connection, () => userBatches.next({ among, after, limit: 100 }))).toEqual(byId);
    const plans = await plansOf(connection, () =>
      userBatches.changeAll(['user-ada', 'user-bob'], (user) => ({ user: { ...user, tags: [] }, answer: undefined })),
    );
    expect(plans.filter((plan) => plan.startsWith('users'))).toEqual(['users: IDHACK', ...byId]);
  });
});
