import { describe, expect, it } from '@jest/globals';
import { Teams } from '@tocsin/events';
import { publishAll } from '@tocsin/testkit';
import { type TestApp, accountKey, testApp } from '../testing/app-fixture.ts';
import {
  importAndDie,
  importId,
  POINTS_OF_DEATH,
  publishedOn,
  refusalOf,
  resultOf,
} from '../testing/import-fixture.ts';

const [id, other] = [importId(1), importId(2)];
const path = `/v2/imports/teams/${id}`;
const role = { id: importId(21), name: 'Editor', rights: [{ right: 'edit-schedules', granted: true }] };

async function stage() {
  const app = await testApp();
  const [ada, bob] = [await app.user('ada@example.com'), await app.user('bob@example.com')];
  const members = [
    { user: { id: ada }, role: 'admin' },
    { user: { id: bob }, role: 'user' },
  ];
  const body = { name: 'Ops', description: 'Keeps it running', members, roles: [role] };
  return { app, ada, bob, body };
}

const dataOf = async ({ get }: TestApp, of: string) => ((await get(of)).body as { data: unknown }).data;
const linesOf = async (app: TestApp) =>
  ((await dataOf(app, `/v2/teams/${id}/logs?order=asc`)) as { logs: readonly { log: string }[] }).logs.map(
    ({ log }) => log,
  );

describe('PUT /v2/imports/teams/{identifier}', () => {
  it('creates a team with its ids, without defaults, whose default routing rule notifies none', async () => {
    const { app, ada, body, bob } = await stage();
    expect((await app.put(path, body)).body).toMatchObject({ result: 'Created', data: { id } });
    expect(await dataOf(app, `/v2/teams/${id}`)).toEqual({
      id,
      name: 'Ops',
      description: 'Keeps it running',
      members: [
        { user: { id: ada, username: 'ada@example.com' }, role: 'admin' },
        { user: { id: bob, username: 'bob@example.com' }, role: 'user' },
      ],
    });
    expect(await dataOf(app, `/v2/teams/${id}/roles`)).toEqual([role]);
    expect(await dataOf(app, `/v2/teams/${id}/routing-rules`)).toMatchObject([
      { name: 'Default Routing Rule', isDefault: true, notify: { type: 'none' }, timezone: 'Europe/Rome' },
    ]);
    expect(app.scheduling.defaults.size).toBe(0);
    expect(await linesOf(app)).toEqual(['Team [Ops] is created.']);
    await app.directory.saga.sweep(0);
    expect((await app.get(`/v2/teams/${id}`)).status).toBe(200);
  });

  it('says Unchanged to the same body, and then neither writes nor publishes', async () => {
    const { app, body } = await stage();
    await app.put(path, body);
    expect(await resultOf(app, path, body)).toBe('Unchanged');
    expect(await publishedOn(app.stores, Teams.name)).toHaveLength(1);
    expect(await linesOf(app)).toHaveLength(1);
  });

  it('replaces members and roles, keeps routing rules, and says in the history what changed', async () => {
    const { app, ada, body } = await stage();
    await app.put(path, body);
    const rules = await dataOf(app, `/v2/teams/${id}/routing-rules`);
    const members = [{ user: { id: ada } }];
    const roles = [{ name: 'Watch' }, { ...role, rights: [] }];
    const changed = { name: 'Web', members, roles };
    expect(await resultOf(app, path, changed)).toBe('Updated');
    expect(await resultOf(app, path, changed)).toBe('Unchanged');
    expect(await dataOf(app, `/v2/teams/${id}`)).toMatchObject({
      name: 'Web',
      description: '',
      members: [{ role: 'user' }],
    });
    expect(await dataOf(app, `/v2/teams/${id}/roles`)).toMatchObject([
      { name: 'Watch', rights: [] },
      { id: role.id, rights: [] },
    ]);
    expect(await dataOf(app, `/v2/teams/${id}/routing-rules`)).toEqual(rules);
    expect(await linesOf(app)).toEqual([
      'Team [Ops] is created.',
      'Team [Ops] is renamed to [Web].',
      'Description is changed to [].',
      'Role of user [ada@example.com] is changed to user.',
      'User [bob@example.com] is removed.',
      'Role [Watch] is created.',
      'Rights of role [Editor] are changed.',
    ]);
  });

  it('refuses a name that another team has, and names its id', async () => {
    const { app, body } = await stage();
    const ownId = await app.team('Ops');
    expect(await app.put(path, body)).toMatchObject({
      status: 409,
      body: { message: `Team with name [Ops] already exists. Its id is ${ownId}.` },
    });
    expect((await app.get(`/v2/teams/${id}`)).status).toBe(404);
  });

  it('refuses the id of a role of another team, and a name of a role that is taken', async () => {
    const { app, body } = await stage();
    await app.put(path, body);
    expect(await app.put(`/v2/imports/teams/${other}`, { ...body, name: 'Web' })).toMatchObject({
      status: 409,
      body: { message: `The id [${role.id}] is that of a role or routing rule of team [Ops].` },
    });
    for (const name of ['Editor', 'Admin'])
      expect((await app.put(path, { ...body, roles: [role, { name }] })).status).toBe(409);
  });

  it.each([
    ['name', { name: '' }],
    ['members[0].user', { members: [{ user: 'ada' }] }],
    ['roles[1].id', { roles: [role, { ...role, name: 'Twice' }] }],
    ['roles[0].id', { roles: [{ ...role, id: 'none' }] }],
  ])('answers 422 that names %s, and changes nothing', async (field, wrong) => {
    const { app, body } = await stage();
    expect(await refusalOf(app, path, { ...body, ...wrong })).toEqual([422, [field]]);
    expect((await app.get(`/v2/teams/${id}`)).status).toBe(404);
  });

  it('answers 404 for an unknown member, 403 to the key of a team, and 503 while alert-ingest can not be asked', async () => {
    const { app, body } = await stage();
    expect((await app.put(path, { ...body, members: [{ user: { id: importId(9) } }] })).status).toBe(404);
    expect((await app.put(path, body, { ...accountKey, teamId: id })).status).toBe(403);
    app.integrations.isUnavailable = true;
    expect((await app.put(path, body)).status).toBe(503);
    expect((await app.get(`/v2/teams/${id}`)).status).toBe(404);
  });

  it('is deleted like any other team, and imported again under a later version', async () => {
    const { app, body } = await stage();
    await app.put(path, body);
    expect((await app.remove(`/v2/teams/${id}`)).status).toBe(200);
    expect([app.scheduling.released.has(id), app.integrations.disabled.has(id), app.policies.disabled.has(id)]).toEqual(
      [true, true, true],
    );
    expect(await resultOf(app, path, body)).toBe('Created');
    expect(app.integrations.disabled.has(id)).toBe(false);
    expect((await publishedOn(app.stores, Teams.name)).at(-1)).toMatchObject({ deleted: false, version: { n: 3 } });
    expect(await linesOf(app)).toEqual(['Team [Ops] is created.']);
  });

  it.each([
    ['id', id, 'Ops'],
    ['name', other, 'Ops'],
  ])('ends the removal of a team with the %s before', async (_, present, name) => {
    const { app, body } = await stage();
    await app.put(`/v2/imports/teams/${present}`, { name });
    app.policies.isUnavailable = true;
    expect((await app.remove(`/v2/teams/${present}`)).status).toBe(503);
    expect((await app.put(path, body)).status).toBe(503);
    app.policies.isUnavailable = false;
    expect(await resultOf(app, path, body)).toBe('Created');
    expect(app.integrations.disabled.has(id)).toBe(false);
  });

  it('takes over a team that is being created under the id, and its creation makes none', async () => {
    const { app, body } = await stage();
    await app.stores.teams.begin({ ...draft, id, name: 'Ops' });
    expect(await resultOf(app, path, body)).toBe('Created');
    await app.directory.saga.sweep(0);
    expect(await app.stores.teams.activate(id, draft.attempt, { defaults: undefined, routingRules: [] })).toBe(
      'overtaken',
    );
    expect(await resultOf(app, path, body)).toBe('Unchanged');
  });

  it.each(POINTS_OF_DEATH)('is done once by a repeat after the process died %j', async (dieAt) => {
    const { app, body } = await stage();
    await importAndDie(app.stores, { dieAt, path, body });
    const isWritten = dieAt.when === 'after' && dieAt.command === 'commitTransaction';
    expect(await resultOf(app, path, body)).toBe(isWritten ? 'Unchanged' : 'Created');
    // The killed process may have the lease of the relay.
    app.stores.outbox.start();
    await publishAll(app.stores.outbox);
    expect(await publishedOn(app.stores, Teams.name)).toMatchObject([{ id, version: { n: 1 } }]);
    expect(await linesOf(app)).toEqual(['Team [Ops] is created.']);
  });

  it('of 40 requests at once creates one team', async () => {
    const { app, body } = await stage();
    const results = await Promise.all(Array.from({ length: 40 }, () => resultOf(app, path, body)));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 39 }, () => 'Unchanged')]);
  });
});

const draft = {
  description: '',
  members: [],
  attempt: 'first',
  createdBy: 'Default API',
  createdAt: new Date('2026-01-01T00:00:00Z'),
};
