import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { appOn, type TestApp } from '../testing/app-fixture.ts';
import { anotherProcess, mongoDirectory, type MongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';

let stores: MongoDirectory;
/** Two processes on one database. */
let processes: readonly [TestApp, TestApp];

beforeAll(async () => {
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

describe('requests at once, on MongoDB', () => {
  it('make one team of 50 for one name, and refuse the others', async () => {
    const answers = await atOnce(50, ({ post }) => post('/v2/teams', { name: 'Ops' }));
    expect(counted(answers)).toEqual({ 201: 1, 409: 49 });
    expect(await stores.teams.list()).toHaveLength(1);
  });

  it('give one of 20 teams the name that all want', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await processes[0].team(`Team ${n}`));
    const answers = await atOnce(20, ({ patch }, n) => patch(`/v2/teams/${ids[n] ?? ''}`, { name: 'Wanted' }));
    expect(counted(answers)).toEqual({ 200: 1, 409: 19 });
  });

  it('keep every member that is added, every line about it, and each role once', async () => {
    const [{ user, team, get }] = processes;
    const names = Array.from({ length: 20 }, (_, n) => `user${n}@example.com`);
    for (const name of names) await user(name);
    const id = await team('Web');
    const added = await atOnce(20, ({ post }, n) => post(`/v2/teams/${id}/members`, { user: { username: names[n] } }));
    const roles = await atOnce(10, ({ post }) => post(`/v2/teams/${id}/roles`, { name: 'Night' }));
    expect([counted(added), counted(roles)]).toEqual([{ 200: 20 }, { 201: 1, 409: 9 }]);
    expect(await stores.teams.find({ id })).toMatchObject({ members: { length: 20 }, version: { n: 22 } });
    const { body } = await get(`/v2/teams/${id}/logs?limit=100&order=asc`);
    const { logs } = (body as { data: { logs: { log: string }[] } }).data;
    expect(logs.map(({ log }) => log).sort()).toEqual(
      [
        'Team [Web] is created.',
        ...names.map((name) => `User [${name}] is added as user.`),
        'Role [Night] is created.',
      ].sort(),
    );
  });
});
