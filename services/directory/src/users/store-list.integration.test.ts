import { describe, expect, it } from '@jest/globals';
import { UserQuery } from '@tocsin/api';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft, sampleUser } from '../testing/stored-samples.ts';
import { LISTED_FIELDS, type ListedUser, type UserPage } from './store.ts';

const firstPage: UserPage = { conditions: [], sort: 'username', order: 'asc', offset: 0, limit: 100 };

const { userAddress } = sampleUser('ada');
const found = [
  sampleUser('ada', { fullName: 'Ada King', verified: true }),
  sampleUser('bob', {
    fullName: 'Bob',
    role: { id: 'owner', name: 'Owner' },
    verified: true,
    userAddress: { ...userAddress, city: 'Milan', line: 'Via Roma (1)' },
    createdAt: new Date('2026-01-02T23:59:59.999Z'),
  }),
  sampleUser('cyd', {
    locale: 'fr_CA',
    timeZone: 'Asia/Tokyo',
    blocked: true,
    createdAt: new Date('2026-01-03T00:00:00Z'),
  }),
];

const searches: readonly (readonly [query: string, names: readonly string[]])[] = [
  ['username:ADA@example.com', ['ada']],
  ['username:b*', ['bob']],
  ['fullName:"ada king"', ['ada']],
  ['fullName:*', ['ada', 'bob', 'cyd']],
  ['role:owner', ['bob']],
  ['locale:EN_us', ['ada', 'bob']],
  ['timeZone:asia/*', ['cyd']],
  ['userAddress:"Via Roma (1)"', ['bob']],
  ['userAddress:rom*', ['ada', 'cyd']],
  ['blocked:true', ['cyd']],
  ['verified:true', ['ada', 'bob']],
  ['createdAt:02-01-2026', ['bob']],
  ['createdAt>=2026-01-02 createdAt<03-01-2026', ['bob']],
  ['createdAt>02-01-2026', ['cyd']],
  ['createdAt<=1767225600000', ['ada']],
  ['verified:true AND locale:en_US AND fullName:Bob', ['bob']],
  ['verified:true blocked:true', []],
  ['fullName:.*', []],
  ['userAddress:$gt', []],
];

describe('a list of users', () => {
  it('finds by each field, alone and together', async () => {
    const { users } = await emptyStores();
    for (const user of found) await users.insert(user);
    const finds = async (query: string, page: Partial<UserPage>) =>
      users.list({ ...firstPage, ...page, conditions: UserQuery.parse(query).conditions });
    for (const [query, names] of searches) {
      const all = await finds(query, { sort: 'insertedAt' });
      expect([query, all.users.map(({ id }) => id)]).toEqual([query, names.map((each) => `user-${each}`)]);
      const last = await finds(query, { limit: 1, order: 'desc' });
      expect([query, last.total, last.users[0]?.id]).toEqual([query, names.length, all.users.at(-1)?.id]);
    }
  });

  it('lists users with the fields of a list, and counts them', async () => {
    const { users } = await emptyStores();
    expect(await users.count()).toBe(0);
    await users.insert(sampleUser('ada'));
    const shown = (user: ListedUser) => ['id' as const, ...LISTED_FIELDS].map((field) => user[field]);
    expect((await users.list(firstPage)).users.map(shown)).toEqual([shown(sampleUser('ada'))]);
    expect(await users.count()).toBe(1);
  });

  it('pages through users in either order, by name, full name or creation', async () => {
    const { users } = await emptyStores();
    const later = new Date('2026-02-01T00:00:00.000Z');
    await users.insert(sampleUser('ada', { fullName: 'Zoe', createdAt: later }));
    await users.insert(sampleUser('bob', { fullName: 'Bob' }));
    await users.insert(sampleUser('cyd', { fullName: 'Bob' }));
    const idsOf = async (page: Partial<UserPage>) =>
      (await users.list({ ...firstPage, ...page })).users.map(({ id }) => id);
    expect(await idsOf({})).toEqual(['user-ada', 'user-bob', 'user-cyd']);
    expect(await idsOf({ sort: 'fullName' })).toEqual(['user-bob', 'user-cyd', 'user-ada']);
    expect(await idsOf({ sort: 'insertedAt', order: 'desc' })).toEqual(['user-ada', 'user-cyd', 'user-bob']);
    expect(await idsOf({ offset: 1, limit: 1 })).toEqual(['user-bob']);
    expect((await users.list({ ...firstPage, offset: 3 })).total).toBe(3);
  });

  it('names the active teams of a user by creation', async () => {
    const { users, teams } = await emptyStores();
    for (const each of ['ada', 'bob']) await users.insert(sampleUser(each));
    const members = [{ userId: 'user-ada', role: 'user' as const }];
    await teams.begin(sampleDraft('Ops', { members, createdAt: new Date('2026-02-01T00:00:00Z') }));
    await teams.begin(sampleDraft('Web', { members }));
    await teams.begin(sampleDraft('Half', { members }));
    for (const each of ['Ops', 'Web']) await teams.activate(`team-${each}`, 'first', sampleActivation(each));
    expect(await users.teamsOf('user-ada')).toEqual([
      { id: 'team-Web', name: 'Web' },
      { id: 'team-Ops', name: 'Ops' },
    ]);
    expect(await users.teamsOf('user-bob')).toEqual([]);
  });
});
