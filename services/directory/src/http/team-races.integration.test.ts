import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '@tocsin/persistence';
import { mongoDirectory, openMigrated, type MongoDirectory } from '../testing/mongo-fixture.ts';
import { testApp, type TestApp } from '../testing/app-fixture.ts';

let connection: Connection;
let stores: MongoDirectory;
/** Two processes on one database. */
let processes: readonly [TestApp, TestApp];

beforeAll(async () => {
  connection = await openMigrated();
  const appOf = ({ users, teams }: MongoDirectory) => testApp({ users, teams, newId: randomUUID });
  const other = mongoDirectory(connection);
  stores = mongoDirectory(connection);
  processes = [appOf(stores), appOf(other)];
});

/** What `times` requests at once are answered, half of them by each process. */
const atOnce = <T>(times: number, ask: (app: TestApp, n: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => ask(n % 2 === 0 ? processes[0] : processes[1], n)));

const counted = (answers: readonly { readonly status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]));

describe('requests at once, on MongoDB', () => {
  it('make one team of 50 for one name, and refuse the others', async () => {
    const answers = await atOnce(50, ({ post }) => post('/v2/teams', { name: 'Ops' }));
    expect(counted(answers)).toEqual({ 201: 1, 409: 49 });
    expect(await stores.teams.list()).toHaveLength(1);
  });

  it('give one of 20 teams the name that all want', async () => {
    const ids = await atOnce(20, ({ team }, n) => team(`Team ${n}`));
    const answers = await atOnce(20, ({ patch }, n) => patch(`/v2/teams/${ids[n] ?? ''}`, { name: 'Wanted' }));
    expect(counted(answers)).toEqual({ 200: 1, 409: 19 });
  });

  it('keep every member that is added, every line that tells of it, and each role once', async () => {
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
