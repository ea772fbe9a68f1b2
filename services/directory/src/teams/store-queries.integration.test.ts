import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '@tocsin/mongo';
import { mongoDirectory, type MongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { plansOf } from '../testing/query-plans.ts';
import { sampleActivation, sampleDraft, sampleUser } from '../testing/stored-samples.ts';
import type { TeamLogPage } from './log-store.ts';
import type { Team } from './team.ts';

let connection: Connection;
let directory: MongoDirectory;

beforeAll(async () => {
  connection = await openMigrated();
  directory = mongoDirectory(connection);
  const { users, teams } = directory;
  for (const name of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(name));
  for (const name of ['Ops', 'Web', 'App', 'New']) {
    await teams.begin(sampleDraft(name, { members: [{ userId: 'user-ada', role: 'user' }] }));
    if (name !== 'New') await teams.activate(`team-${name}`, 'first', sampleActivation(name));
  }
});

const page: TeamLogPage = { order: 'desc', limit: 20, after: { n: 3, line: 1 } };
const described = (team: Team) => ({
  team: { ...team, description: `${team.description}.` },
  log: [],
  answer: undefined,
});

describe('the database queries of a route', () => {
  it.each<[string, (stores: MongoDirectory) => Promise<unknown>]>([
    ['a team by id', ({ teams }) => teams.find({ id: 'team-Ops' })],
    ['a team by name', ({ teams }) => teams.find({ name: 'Ops' })],
    ['a team to be removed', ({ teams }) => teams.findRemovable({ name: 'Ops' })],
    ['all teams', ({ teams }) => teams.list()],
    ['the latest of a history', ({ teams }) => teams.history('team-Ops', { ...page, after: undefined })],
    ['a later page of a history', ({ teams }) => teams.history('team-Ops', page)],
    ['a history from its beginning', ({ teams }) => teams.history('team-Ops', { ...page, order: 'asc' })],
    ['the routing rules of a thing', ({ teams }) => teams.routingUses('escalation', 'escalation-Ops', 'team-Web')],
    ['the names of members', ({ users }) => users.names([{ id: 'user-ada' }, { username: 'bob@example.com' }])],
    ['a change', ({ teams }) => teams.change({ name: 'Ops' }, described)],
    [
      'a creation',
      ({ teams }) => teams.begin(sampleDraft('Late', { members: [{ userId: 'user-bob', role: 'user' }] })),
    ],
    ['an activation', ({ teams }) => teams.activate('team-New', 'first', sampleActivation('New'))],
    ['what is half done', ({ teams }) => teams.unfinished(0)],
    ['the beginning of a removal', ({ teams }) => teams.beginRemoval('team-App', 'first')],
    ['the end of a removal', ({ teams }) => teams.endRemoval('team-App')],
  ])('is found by an index: %s', async (_, work) => {
    const plans = await plansOf(connection, () => work(directory));
    expect(plans).not.toEqual([]);
    expect(plans.filter((plan) => !/: (IXSCAN|IDHACK|EXPRESS_IXSCAN|EXPRESS_CLUSTERED_IXSCAN)/.test(plan))).toEqual([]);
  });

  it('is a history in its own order: the database sorts nothing', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const plans = await plansOf(connection, () => directory.teams.history('team-Ops', { ...page, order }));
      expect(plans).toEqual(['teamLogs: IXSCAN { teamId: 1, n: 1, line: 1 }']);
    }
  });
});
