import { describe, expect, it } from '@jest/globals';
import { ConflictError } from '@tocsin/errors';
import type { UserLots } from '../ports/user-lots.ts';
import type { UserStore } from '../ports/user-store.ts';
import { sampleUser } from '../testing/stored-samples.ts';

/** What every adapter of `UserLots` does; `create` gives it with the users of the same directory. */
export function describeUserLots(
  name: string,
  create: () => Promise<{ readonly users: UserStore; readonly lots: UserLots }>,
): void {
  describe(`${name} as lots of users`, () => {
    const withUsers = async (...names: string[]) => {
      const stores = await create();
      for (const each of names) await stores.users.insert(sampleUser(each));
      return stores;
    };

    it('visits each user once, by id', async () => {
      const { lots } = await withUsers('cyd', 'ada', 'bob');
      const [ada, bob] = await lots.next({ among: undefined, after: undefined, limit: 2 });
      const { id, username, contacts } = sampleUser('ada');
      expect(ada).toEqual({ id, username, contacts });
      expect(bob?.id).toBe('user-bob');
      const after = (last: string) => lots.next({ among: undefined, after: last, limit: 2 });
      expect((await after('user-bob')).map((user) => user.id)).toEqual(['user-cyd']);
      expect(await after('user-cyd')).toEqual([]);
    });

    it('visits those who are wanted and exist', async () => {
      const { lots } = await withUsers('cyd', 'ada', 'bob');
      const among = ['user-cyd', 'nobody', 'user-ada'];
      const ids = async (after?: string) => (await lots.next({ among, after, limit: 9 })).map(({ id }) => id);
      expect(await ids()).toEqual(['user-ada', 'user-cyd']);
      expect(await ids('user-ada')).toEqual(['user-cyd']);
      expect(await lots.next({ among: [], after: undefined, limit: 9 })).toEqual([]);
    });

    it('changes those who exist, and leaves those who come back the same as they are', async () => {
      const { users, lots } = await withUsers('cyd', 'ada', 'bob');
      const answers = await lots.changeAll(['user-cyd', 'nobody', 'user-ada', 'user-ada'], (user) => ({
        user: user.id === 'user-ada' ? { ...user, tags: ['seen'] } : user,
        answer: user.username,
      }));
      expect(answers).toEqual(['ada@example.com', 'cyd@example.com']);
      expect(await users.find({ id: 'user-ada' })).toMatchObject({ tags: ['seen'], version: { n: 2 } });
      expect(await users.find({ id: 'user-cyd' })).toMatchObject({ version: { n: 1 } });
      expect(
        await lots.changeAll([], () => {
          throw new Error('nobody is asked for');
        }),
      ).toEqual([]);
    });

    it('changes nobody when the change of one is refused', async () => {
      const { users, lots } = await withUsers('ada', 'bob');
      const refusing = lots.changeAll(['user-ada', 'user-bob'], (user) => {
        if (user.id === 'user-bob') throw new ConflictError('no');
        return { user: { ...user, tags: [] }, answer: undefined };
      });
      await expect(refusing).rejects.toThrow('no');
      expect(await users.find({ id: 'user-ada' })).toMatchObject({ tags: ['night'], version: { n: 1 } });
    });

    it('loses no change that others make at the same time', async () => {
      const { users, lots } = await withUsers('ada', 'bob');
      const add = (tag: string) =>
        lots.changeAll(['user-ada', 'user-bob'], (user) => ({
          user: { ...user, tags: [...user.tags, tag] },
          answer: 0,
        }));
      const rename = users.change({ id: 'user-ada' }, (user) => ({ user: { ...user, fullName: 'Ada L' }, answer: 0 }));
      await Promise.all([...['a', 'b', 'c', 'd', 'e'].map(add), rename]);
      const ada = await users.find({ id: 'user-ada' });
      expect([ada?.tags.length, ada?.fullName, ada?.version.n]).toEqual([6, 'Ada L', 7]);
    });
  });
}
