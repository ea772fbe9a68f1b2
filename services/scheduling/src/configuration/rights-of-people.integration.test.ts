import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS, peopleOf } from '@tocsin/api';
import type { UserPrincipal } from '@tocsin/http';
import { signedIn } from '@tocsin/testkit';
import { created, daily, testApp, type TestApp } from '../testing/app-fixture.ts';
import { teamOf } from '../testing/on-call-samples.ts';

const year = { startDate: '2026-02-01T00:00:00Z', endDate: '2027-01-01T00:00:00Z' };
const admin = signedIn({ sre: 'admin' });
const member = signedIn({ sre: 'user' }, { userId: 'bob' });
const stranger = signedIn({ dba: 'admin' }, { userId: 'eve' });
const WRITES = OPERATIONS.filter(
  (operation) => operation.owner === 'scheduling' && ['team-admin', 'team-member', 'own'].includes(peopleOf(operation)),
);

let app: TestApp;
let params: Readonly<Record<string, string>>;

/** Schedule Days of team SRE with a rotation and an override, escalation Steps of SRE, and a forwarding rule of Bob. */
beforeAll(async () => {
  app = await testApp();
  app.teams.put('dba', { ...teamOf('dba', { eve: 'admin' }, { type: 'none' }), name: 'Database' });
  const owned = { ownerTeam: { id: 'sre' } };
  const schedule = await created(app, '/v2/schedules', { name: 'Days', ...owned });
  const rotation = await created(app, `/v2/schedules/${schedule}/rotations`, daily([{ type: 'user', id: 'ada' }]));
  await app.post(`/v2/schedules/${schedule}/overrides`, { alias: 'swap', user: { type: 'user', id: 'bob' }, ...year });
  const rules = [{ delay: { timeAmount: 1 }, recipient: { type: 'user', id: 'bob' } }];
  const escalation = await created(app, '/v2/escalations', { name: 'Steps', rules, ...owned });
  const body = { alias: 'away', fromUser: { id: 'bob' }, toUser: { id: 'ada' }, ...year };
  const forwarding = await created(app, '/v2/forwarding-rules', body);
  params = { schedule, rotation, escalation, forwarding };
});

function pathOf(path: string): string {
  const { schedule = '', rotation = '', escalation = '', forwarding = '' } = params;
  const one = path.startsWith('/v2/escalations') ? escalation : path.includes('forwarding') ? forwarding : schedule;
  return path
    .replace('{scheduleIdentifier}', schedule)
    .replace('{identifier}', one)
    .replace('{id}', rotation)
    .replace('{alias}', 'swap');
}

async function call(id: string, caller: UserPrincipal, over: object = {}) {
  const operation = WRITES.find((one) => one.id === id);
  if (operation === undefined) throw new RangeError(`${id} is no write for teams.`);
  const path = pathOf(operation.path);
  const example = operation.body?.example as object;
  const body = { ...example, ...over };
  if (operation.method === 'DELETE') return app.delete(path, caller);
  const send = { POST: app.post, PUT: app.put, PATCH: app.patch, GET: app.post }[operation.method];
  return send(path, body, caller);
}

describe('a user who is no member of the owner team', () => {
  it.each(WRITES.map(({ id }) => [id]))('is refused by %s (K12)', async (id) => {
    const over = id.startsWith('create')
      ? { ownerTeam: { id: 'sre' }, fromUser: { id: 'bob' }, toUser: { id: 'ada' } }
      : {};
    const answer = await call(id, stranger, over);
    expect(answer).toMatchObject({ status: 403, body: { code: 40301 } });
    expect(answer.body['message']).toMatch(/^Only (.* of team \[SRE\]|the user), or an admin of the account, can /);
  });

  it('reads all of it', async () => {
    for (const path of ['schedules/{identifier}', 'escalations/{identifier}', 'forwarding-rules/{identifier}'])
      expect((await app.get(pathOf(`/v2/${path}`), stranger)).status).toBe(200);
    const { data } = await app.get('/v2/schedules', stranger);
    expect(data).toMatchObject([{ name: 'Days' }]);
  });
});

describe('a member of the owner team', () => {
  it('changes only overrides of its schedules', async () => {
    const { schedule } = params;
    const path = `/v2/schedules/${schedule}/overrides`;
    const mine = { alias: 'mine', user: { type: 'user', id: 'bob' }, ...year };
    expect((await app.post(path, mine, member)).status).toBe(201);
    expect((await app.put(`${path}/mine`, { ...mine, user: { type: 'none' } }, member)).status).toBe(200);
    expect((await app.delete(`${path}/mine`, member)).status).toBe(200);
    const refused = await app.patch(`/v2/schedules/${schedule}`, { description: 'x' }, member);
    const message = 'Only an admin of team [SRE], or an admin of the account, can change schedule [Days].';
    expect(refused).toMatchObject({ status: 403, body: { message } });
  });
});

describe('a forwarding rule (S13)', () => {
  const rule = (from: object, to = 'eve') => ({ fromUser: from, toUser: { id: to }, ...year });
  const byAlias = (alias: string) => `/v2/forwarding-rules/${alias}?identifierType=alias`;

  it('is written by the user from whom it forwards', async () => {
    const mine = { alias: 'mine', ...rule({ username: 'BOB@example.com' }) };
    expect((await app.post('/v2/forwarding-rules', mine, member)).status).toBe(201);
    expect((await app.put(byAlias('mine'), rule({ id: 'bob' }, 'ada'), member)).status).toBe(200);
    expect((await app.put(byAlias('mine'), rule({ id: 'ada' }), member)).status).toBe(403);
    expect((await app.delete(byAlias('mine'), member)).status).toBe(200);
  });

  it.each(['user', 'admin'] as const)(
    'of a member is not written by another member with the team role %s',
    async (role) => {
      const mate = signedIn({ sre: role });
      const before = await app.get(byAlias('away'));
      const answers = await Promise.all([
        app.post('/v2/forwarding-rules', rule({ id: 'bob' }), mate),
        app.put(byAlias('away'), rule({ id: 'bob' }), mate),
        app.put(byAlias('away'), rule({ id: 'ada' }), mate),
        app.delete(byAlias('away'), mate),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect((await app.get(byAlias('away'))).data).toEqual(before.data);
    },
  );

  it('is refused before the users of its body are looked up', async () => {
    const unknown = { username: 'ghost@example.com' };
    const answers = await Promise.all([
      app.post('/v2/forwarding-rules', rule(unknown), admin),
      app.post('/v2/forwarding-rules', rule({ id: 'bob' }, 'ghost'), admin),
      app.put(byAlias('away'), rule({ id: 'ada' }, 'ghost'), admin),
      app.put(byAlias('away'), rule(unknown), admin),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});

describe('an admin of the owner team', () => {
  it('changes its schedules, rotations and escalations', async () => {
    const { schedule = '', rotation = '', escalation = '' } = params;
    const answers = await Promise.all([
      app.patch(`/v2/schedules/${schedule}`, { description: 'of days' }, admin),
      app.patch(`/v2/schedules/${schedule}/rotations/${rotation}`, { name: 'Turns' }, admin),
      app.patch(`/v2/escalations/${escalation}`, { description: 'of steps' }, admin),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('creates them for the team, not for another team or for none', async () => {
    const create = async (ownerTeam?: object) =>
      app.post('/v2/schedules', { name: 'New', ...(ownerTeam && { ownerTeam }) }, admin);
    expect((await create({ id: 'sre' })).status).toBe(201);
    expect(await create({ name: 'Database' })).toMatchObject({
      status: 403,
      body: { message: 'Only an admin of team [Database], or an admin of the account, can give it a schedule.' },
    });
    expect(await create()).toMatchObject({
      status: 403,
      body: { message: 'Only an owner or admin of the account can leave a schedule without owner team.' },
    });
  });

  it('neither gives them to another team nor takes those of another team', async () => {
    const theirs = await created(app, '/v2/escalations', {
      name: 'Theirs',
      ownerTeam: { id: 'dba' },
      rules: [{ delay: { timeAmount: 1 }, recipient: { type: 'user', id: 'eve' } }],
    });
    const give = await app.patch(`/v2/escalations/${params['escalation']}`, { ownerTeam: { id: 'dba' } }, admin);
    const take = await app.patch(`/v2/escalations/${theirs}`, { ownerTeam: { id: 'sre' } }, admin);
    expect([give.status, take.status]).toEqual([403, 403]);
    expect((await app.get(`/v2/escalations/${theirs}`)).data).toMatchObject({ ownerTeam: { id: 'dba' } });
  });
});

describe('an admin of the account', () => {
  it.each(['owner', 'admin'] as const)('who is %s changes entities that no team of theirs owns', async (role) => {
    const caller = signedIn({}, { role, userId: 'root' });
    const of = `/v2/schedules/${params['schedule']}`;
    expect((await app.patch(of, { description: role }, caller)).status).toBe(200);
    expect((await app.post('/v2/schedules', { name: `Of the account ${role}` }, caller)).status).toBe(201);
  });
});

describe('an observer', () => {
  it('reads, and a refusal names the users who can give them another role', async () => {
    const caller = signedIn({ sre: 'admin' }, { role: 'observer' });
    expect((await app.get(pathOf('/v2/schedules/{identifier}'), caller)).status).toBe(200);
    expect(await app.delete(pathOf('/v2/schedules/{identifier}'), caller)).toMatchObject({
      status: 403,
      body: { message: 'The role observer can only read. An admin of the account can give you another role.' },
    });
  });
});
