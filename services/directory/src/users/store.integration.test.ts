import { describe, expect, it } from '@jest/globals';
import { ConflictError } from '@tocsin/core';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft, sampleNotice, sampleUser } from '../testing/stored-samples.ts';

describe('UserStore', () => {
  it('returns a user whole, by id and by user name', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    expect(await users.find({ id: 'user-ada' })).toEqual(sampleUser('ada'));
    expect(await users.find({ username: 'ada@example.com' })).toEqual(sampleUser('ada'));
  });

  it('finds no user under a name that was never inserted', async () => {
    const { users } = await emptyStores();
    expect(await users.find({ username: 'unknown@example.com' })).toBeUndefined();
    expect(await users.find({ id: 'ada@example.com' })).toBeUndefined();
  });

  it('finds those of many ids or user names who exist', async () => {
    const { users } = await emptyStores();
    for (const name of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(name));
    expect((await users.withAny('id', ['user-bob', 'unknown', 'ada@example.com'])).map(({ id }) => id)).toEqual([
      'user-bob',
    ]);
    const named = await users.withAny('username', ['cyd@example.com', 'ada@example.com', 'unknown@example.com']);
    expect(new Set(named)).toEqual(new Set([sampleUser('ada'), sampleUser('cyd')]));
  });

  it('keeps the first of two users with one user name', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    await expect(users.insert(sampleUser('ada', { id: 'other' }))).rejects.toThrow(ConflictError);
    expect(await users.find({ id: 'other' })).toBeUndefined();
  });

  it('lets one of many users created at once under one user name in', async () => {
    const { users } = await emptyStores();
    const inserts = Array.from({ length: 50 }, (_, n) => users.insert(sampleUser('ada', { id: `user-${n}` })));
    const results = await Promise.allSettled(inserts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refusals.every((reason) => reason instanceof ConflictError)).toBe(true);
  });

  it('names those who exist, each once', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    await users.insert(sampleUser('bob'));
    const named = await users.names([
      { id: 'user-ada' },
      { username: 'ada@example.com' },
      { username: 'bob@example.com' },
      { id: 'unknown' },
    ]);
    expect(named.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'user-ada', username: 'ada@example.com' },
      { id: 'user-bob', username: 'bob@example.com' },
    ]);
    expect(await users.names([])).toEqual([]);
  });

  it('changes a user as asked, under the next version', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    const mutedUntil = new Date('2026-03-01T06:00:00Z');
    const renamed = await users.change({ username: 'ada@example.com' }, (user) => ({
      user: { ...user, fullName: 'Ada L', skypeUsername: 'ada', mutedUntil },
      answer: user.fullName,
    }));
    expect(renamed).toEqual({ answer: 'ada' });
    const { version } = sampleUser('ada');
    const changes = { fullName: 'Ada L', skypeUsername: 'ada', mutedUntil, version: { ...version, n: 2 } };
    const expected = sampleUser('ada', changes);
    expect(await users.find({ id: 'user-ada' })).toEqual(expected);
    await users.change({ id: 'user-ada' }, (user) => ({ user, answer: undefined }));
    expect(await users.find({ id: 'user-ada' })).toEqual(expected);
    expect(await users.change({ id: 'unknown' }, (user) => ({ user, answer: 1 }))).toBeUndefined();
    await users.change({ id: 'user-ada' }, ({ version: present }) => ({
      user: sampleUser('ada', { version: present }),
      answer: undefined,
    }));
    expect(await users.find({ id: 'user-ada' })).not.toHaveProperty('mutedUntil');
  });

  it('changes nothing when the change is refused', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    const refusing = users.change({ id: 'user-ada' }, () => {
      throw new ConflictError('no');
    });
    await expect(refusing).rejects.toThrow('no');
    expect(await users.find({ id: 'user-ada' })).toEqual(sampleUser('ada'));
  });

  it('loses none of many changes at once', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada', { tags: [] }));
    const add = (tag: string) =>
      users.change({ id: 'user-ada' }, (user) => ({ user: { ...user, tags: [...user.tags, tag] }, answer: tag }));
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(`t${n}`)));
    expect((await users.find({ id: 'user-ada' }))?.tags).toHaveLength(20);
  });

  it('gives a change whether the user is the last owner', async () => {
    const { users } = await emptyStores();
    const role = { id: 'owner', name: 'owner' };
    const isLastOwner = (id: string) =>
      users.change({ id }, (user, facts) => ({ user, answer: facts.isLastOwner })).then((done) => done?.answer);
    await users.insert(sampleUser('ada', { role }));
    await users.insert(sampleUser('bob'));
    expect([await isLastOwner('user-ada'), await isLastOwner('user-bob')]).toEqual([true, false]);
    await users.insert(sampleUser('cyd', { role }));
    expect(await isLastOwner('user-ada')).toBe(false);
  });

  it('sends the notices of written changes, and none of refused ones', async () => {
    const { users, notices } = await emptyStores();
    const invitation = (noticeId: string) => [sampleNotice('ada', { noticeId })];
    await users.insert(sampleUser('ada'), invitation('first'));
    await expect(users.insert(sampleUser('ada', { id: 'other' }), invitation('never'))).rejects.toThrow();
    await users.change({ id: 'user-ada' }, (user) => ({ user, notices: invitation('second'), answer: 1 }));
    const refusing = users.change({ id: 'user-ada' }, () => {
      throw new ConflictError('no');
    });
    await expect(refusing).rejects.toThrow('no');
    expect((await notices()).map(({ noticeId }) => noticeId)).toEqual(['first', 'second']);
  });

  it('removes a user once', async () => {
    const { users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    expect(await users.remove('user-ada')).toEqual({ kind: 'removed' });
    expect(await users.remove('user-ada')).toEqual({ kind: 'missing' });
    expect(await users.find({ id: 'user-ada' })).toBeUndefined();
  });

  it('keeps a member of a team, whole or half made, until that team is being removed', async () => {
    const { users, teams } = await emptyStores();
    await users.insert(sampleUser('ada'));
    await teams.begin(sampleDraft('Ops', { members: [{ userId: 'user-ada', role: 'user' }] }));
    expect(await users.remove('user-ada')).toEqual({ kind: 'member', teamNames: ['Ops'] });
    await teams.activate('team-Ops', 'first', sampleActivation('Ops'));
    expect(await users.remove('user-ada')).toEqual({ kind: 'member', teamNames: ['Ops'] });
    await teams.beginRemoval('team-Ops', 'first');
    expect(await users.remove('user-ada')).toEqual({ kind: 'removed' });
  });

  it('keeps the last owner, also when two are removed at once', async () => {
    const { users } = await emptyStores();
    const role = { id: 'owner', name: 'owner' };
    expect(await users.hasOwner()).toBe(false);
    await users.insert(sampleUser('ada', { role }));
    await users.insert(sampleUser('bob', { role }));
    const removals = await Promise.all([users.remove('user-ada'), users.remove('user-bob')]);
    expect(removals.map(({ kind }) => kind).toSorted()).toEqual(['last-owner', 'removed']);
    expect(await users.hasOwner()).toBe(true);
  });
});
