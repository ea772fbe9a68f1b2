import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { appOn, type TestApp } from '../testing/app-fixture.ts';
import { anotherProcess, mongoDirectory, type MongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';

let stores: MongoDirectory;
/** Two processes on one database. */
let processes: readonly [TestApp, TestApp];

beforeEach(async () => {
  const appOf = (of: MongoDirectory) => appOn(of, { newId: randomUUID });
  stores = mongoDirectory(await openMigrated());
  processes = [appOf(stores), appOf(await anotherProcess(stores))];
});

/**
 * The answers to `times` concurrent requests, half of them by each process. A request is repeated while it is answered 503, as where a
 * slow machine makes writers wait for too long.
 */
const atOnce = <T extends { readonly status: number }>(
  times: number,
  ask: (app: TestApp, n: number) => Promise<T>,
): Promise<readonly T[]> =>
  Promise.all(
    Array.from({ length: times }, async (_, n) => {
      for (;;) {
        const answer = await ask(n % 2 === 0 ? processes[0] : processes[1], n);
        if (answer.status !== 503) return answer;
      }
    }),
  );

const counted = (answers: readonly { readonly status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]));

const dataOf = async ({ get }: TestApp, path: string) =>
  ((await get(path)).body as { data: Record<string, unknown> }).data;

describe('requests about users at once, on MongoDB', () => {
  it('make one user of 50 for one user name, and refuse the others', async () => {
    const body = { username: 'Ada@Example.com', fullName: 'Ada', role: { name: 'user' } };
    const answers = await atOnce(50, ({ post }) => post('/v2/users', body));
    expect(counted(answers)).toEqual({ 201: 1, 409: 49 });
    expect(await stores.users.count()).toBe(1);
  });

  it('make one role of 20 for one name', async () => {
    const answers = await atOnce(20, ({ post }) => post('/v2/roles', { name: 'Watch' }));
    expect(counted(answers)).toEqual({ 201: 1, 409: 19 });
  });

  it('change different fields of one user, and lose none', async () => {
    const [app] = processes;
    await app.user('ada@example.com');
    const changes = [{ fullName: 'Ada King' }, { locale: 'fr' }, { tags: ['day'] }, { timezone: 'Asia/Tokyo' }];
    const answers = await atOnce(4, ({ patch }, n) => patch('/v2/users/ada@example.com', changes[n] ?? {}));
    expect(counted(answers)).toEqual({ 200: 4 });
    const after = { fullName: 'Ada King', locale: 'fr', tags: ['day'], timeZone: 'Asia/Tokyo' };
    expect(await dataOf(app, '/v2/users/ada@example.com')).toMatchObject(after);
  });

  it('leave one owner of three who all give it up', async () => {
    const [{ user }] = processes;
    const names = ['ada@example.com', 'bob@example.com', 'cyd@example.com'];
    for (const name of names) await user(name, 'owner');
    const answers = await atOnce(3, ({ patch, remove }, n) =>
      n === 1 ? remove(`/v2/users/${names[n]}`) : patch(`/v2/users/${names[n]}`, { role: { name: 'user' } }),
    );
    expect(counted(answers)).toEqual({ 200: 2, 422: 1 });
    expect(await stores.users.hasOwner()).toBe(true);
  });

  it('never leave a user with a role that is gone, or with an old name of one', async () => {
    const [app] = processes;
    await app.post('/v2/roles', { name: 'Watch' });
    const path = '/v2/roles/Watch?identifierType=name';
    await atOnce(12, ({ put, remove, post }, n) => {
      if (n === 5) return put(path, { name: 'Night watch' });
      if (n === 6) return remove(path);
      return post('/v2/users', { username: `user${n}@example.com`, fullName: 'User', role: { name: 'Watch' } });
    });
    const roles = new Map((await stores.roles.list()).map(({ id, name }) => [id, name]));
    const { users } = await stores.users.list({
      conditions: [],
      sort: 'username',
      order: 'asc',
      offset: 0,
      limit: 100,
    });
    for (const { role } of users) expect(roles.get(role.id)).toBe(role.name);
  });

  it('announce nothing new when what a GET answers is sent back', async () => {
    const [app] = processes;
    await app.post('/v2/users', {
      username: 'ada@example.com',
      fullName: 'Ada',
      role: { name: 'Admin' },
      skypeUsername: 'ada',
      tags: ['night'],
      details: { 'badge.no': ['7'], $floor: [] },
      userAddress: { city: 'Rome' },
    });
    const before = await dataOf(app, '/v2/users/ada@example.com?expand=contact');
    const [announced] = stores.publisher.published;
    expect((await app.patch('/v2/users/ada@example.com', before)).status).toBe(200);
    expect(await dataOf(app, '/v2/users/ada@example.com?expand=contact')).toEqual(before);
    // The body names the role, so the state is published again as it is (K21).
    expect(announced).toBeDefined();
    for (const each of stores.publisher.published) expect(each).toEqual(announced);
  });

  it('show a list what was written a moment ago, through either process', async () => {
    const [app, other] = processes;
    const total = async ({ get }: TestApp) => ((await get('/v2/users')).body as { totalCount: number }).totalCount;
    expect([await total(app), await total(other)]).toEqual([0, 0]);
    await app.user('ada@example.com');
    expect([await total(other), await total(app)]).toEqual([1, 1]);
    await other.remove('/v2/users/ada@example.com');
    expect([await total(app), await total(other)]).toEqual([0, 0]);
  });
});
