import { beforeAll, describe, expect, it } from '@jest/globals';
import { type UserCondition, UserQuery, type UserTextCondition } from '@tocsin/api';
import type { Connection } from '@tocsin/mongo';
import { casesOf } from '@tocsin/testkit';
import { mongoDirectory, type MongoDirectory, openMigrated, storeUsers } from '../testing/mongo-fixture.ts';
import { plansOf } from '../testing/query-plans.ts';
import { sampleRole, sampleUser, sampleVerification } from '../testing/stored-samples.ts';
import { verificationBatch } from '../testing/verification-batch.ts';
import type { UserPage } from './store.ts';
import { searchable } from './user-search.ts';
import type { User } from './user.ts';

/** Every plan that begins with the keys of an index. */
const BY_INDEX = /: (IXSCAN|COUNT_SCAN|IDHACK|EXPRESS_IXSCAN|EXPRESS_CLUSTERED_IXSCAN)/;

/** The plans of the database do not depend on how many there are. */
const USERS = casesOf({ usual: 2_000, deep: 10_000 });
const ROLES = [
  { id: 'admin', name: 'Admin' },
  { id: 'user', name: 'User' },
  { id: 'role-Watch', name: 'Watch' },
];

/** One of many users who differ in all that is searched. */
function oneOfMany(n: number): User {
  const address = { ...sampleUser('ada').userAddress, city: `City ${n % 500}`, line: `Street ${n}` };
  return sampleUser(`user${String(n).padStart(5, '0')}`, {
    fullName: `Person ${(n * 7_919) % USERS}`,
    role: ROLES[n % 3] ?? { id: 'user', name: 'User' },
    locale: n % 4 === 0 ? 'fr_CA' : 'en_US',
    timeZone: n % 5 === 0 ? 'Asia/Tokyo' : 'Europe/Rome',
    blocked: n % 100 === 0,
    verified: n % 2 === 0,
    userAddress: address,
    createdAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
  });
}

const allUsers = Array.from({ length: USERS }, (_, n) => oneOfMany(n));

let connection: Connection;
let directory: MongoDirectory;

beforeAll(async () => {
  connection = await openMigrated();
  directory = mongoDirectory(connection);
  await directory.roles.insert(sampleRole('Watch'));
  await storeUsers(connection, allUsers);
});

const firstPage: UserPage = { conditions: [], sort: 'username', order: 'asc', offset: 0, limit: 100 };
const listed = async (query: string, page: Partial<UserPage> = {}) =>
  directory.users.list({ ...firstPage, ...page, conditions: UserQuery.parse(query).conditions });

const searches = [
  '',
  'username:user0777*',
  'username:user00777@example.com',
  'fullName:"person 77"',
  'fullName:person*',
  'role:watch',
  'locale:fr_CA',
  'timeZone:europe*',
  'userAddress:"city 7"',
  'userAddress:street*',
  'blocked:true',
  'verified:false',
  'createdAt>=03-01-2026',
  'verified:true locale:fr_CA role:user',
];
const sorts = ['username', 'fullName', 'insertedAt'] as const;

/** Whether every condition holds for `user` (part 3, 4.1), as a model of what MongoDB does. */
function matches(user: User, conditions: readonly UserCondition[]): boolean {
  const texts = searchable(user);
  return conditions.every((condition) => {
    if ('match' in condition) return [texts[condition.field]].flat().some((text) => agrees(text, condition));
    if (condition.field !== 'createdAt') return user[condition.field] === condition.value;
    const { from, before } = condition;
    return (from === undefined || user.createdAt >= from) && (before === undefined || user.createdAt < before);
  });
}

const agrees = (text: string, { match, value }: UserTextCondition): boolean =>
  match === 'is' ? text === value : text.startsWith(value);

describe(`a search of ${USERS} users`, () => {
  it.each(searches)('finds those for whom every condition holds: %j', async (query) => {
    const { conditions } = UserQuery.parse(query);
    const expected = allUsers.filter((user) => matches(user, conditions)).map(({ id }) => id);
    const { users, total } = await listed(query, { limit: 500 });
    expect(total).toBe(expected.length);
    expect(users.map(({ id }) => id)).toEqual(expected.slice(0, 500));
  });
});

describe('the database queries of a route', () => {
  it.each(searches)('is found by an index, in every order: users by %j', async (query) => {
    const plans = await plansOf(connection, async () => {
      for (const sort of sorts)
        for (const order of ['asc', 'desc'] as const) await listed(query, { sort, order, offset: 50 });
    });
    expect(plans.filter((plan) => !BY_INDEX.test(plan))).toEqual([]);
    expect(plans).toContainEqual(expect.stringMatching(/^users: IXSCAN/));
  });

  it.each<[string, (stores: MongoDirectory) => Promise<unknown>]>([
    ['a user by id', ({ users }) => users.find({ id: 'user-user00001' })],
    ['a user by user name', ({ users }) => users.find({ username: 'user00001@example.com' })],
    ['the teams of a user', ({ users }) => users.teamsOf('user-user00001')],
    ['whether there is an owner', ({ users }) => users.hasOwner()],
    ['a new user', ({ users }) => users.insert(sampleUser('ada', { role: { id: 'role-Watch', name: 'Watch' } }))],
    ['a change', ({ users }) => users.change({ id: 'user-ada' }, withRole('owner'))],
    ['a change of an owner', ({ users }) => users.change({ username: 'ada@example.com' }, withRole('user'))],
    ['a removal', ({ users }) => users.remove('user-ada')],
    [
      'whom a mail verifies',
      ({ verifications }) => verifications.process([verificationBatch([sampleVerification('user00001')])]),
    ],
    ['a role by id', ({ roles }) => roles.find({ id: 'role-Watch' })],
    ['all roles', ({ roles }) => roles.list()],
    ['a role to be renamed', ({ roles }) => roles.change({ name: 'Watch' }, (role) => ({ ...role, name: 'Night' }))],
    ['a role to be removed', ({ roles }) => roles.remove({ name: 'Night' })],
  ])('is found by an index: %s', async (_, work) => {
    const plans = await plansOf(connection, () => work(directory));
    expect(plans).not.toEqual([]);
    expect(plans.filter((plan) => !BY_INDEX.test(plan))).toEqual([]);
  });
});

describe(`a page of 100 of ${USERS} users`, () => {
  it.each<[string, string, Partial<UserPage>]>([
    ['the first', '', {}],
    ['the last', '', { offset: USERS - 100 }],
    ['by full name', '', { sort: 'fullName', offset: USERS / 2 }],
    ['by creation', '', { sort: 'insertedAt', order: 'desc' }],
    ['of a locale', 'locale:fr_CA', { offset: USERS / 10 }],
  ])('has its users, each once: %s', async (_, query, page) => {
    const { users } = await listed(query, page);
    expect(new Set(users.map(({ id }) => id)).size).toBe(100);
  });
});

const withRole = (name: string) => (user: User) => ({ user: { ...user, role: { id: name, name } }, answer: undefined });
