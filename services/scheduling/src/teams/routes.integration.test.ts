import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@tocsin/http';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const directory: Caller = { service: 'directory' };
const TEAM = '7c1e7c55-90a5-4d43-8f6f-0b6f4a1f5b11';
const DEFAULTS = `/internal/teams/${TEAM}/defaults`;

interface Defaults {
  readonly scheduleId: string;
  readonly escalationId: string;
}

async function withTeam(teamName = 'Web') {
  const app = await testApp();
  const { data } = await app.put(DEFAULTS, { teamName }, directory);
  return { app, defaults: data as Defaults };
}

describe('PUT /internal/teams/{teamId}/defaults', () => {
  it('makes a schedule without rotation and an escalation of three rules', async () => {
    const { app, defaults } = await withTeam();
    expect((await app.get(`/v2/schedules/${defaults.scheduleId}`)).data).toMatchObject({
      name: 'Web_schedule',
      timezone: 'Europe/Rome',
      ownerTeam: { id: TEAM },
      rotations: [],
    });
    const onCall = { type: 'schedule', id: defaults.scheduleId };
    expect((await app.get(`/v2/escalations/${defaults.escalationId}`)).data).toMatchObject({
      name: 'Web_escalation',
      ownerTeam: { id: TEAM },
      rules: [
        { delay: { timeAmount: 0 }, notifyType: 'default', recipient: onCall },
        { delay: { timeAmount: 5 }, notifyType: 'next', recipient: onCall },
        { delay: { timeAmount: 10 }, notifyType: 'all', recipient: { type: 'team', id: TEAM } },
      ],
    });
  });

  it('is the same when it is repeated, and completes a partial one', async () => {
    const { app, defaults } = await withTeam();
    await app.patch(`/v2/schedules/${defaults.scheduleId}`, { description: 'mine' });
    expect((await app.put(DEFAULTS, { teamName: 'Web' }, directory)).data).toEqual(defaults);
    expect((await app.get(`/v2/schedules/${defaults.scheduleId}`)).data).toMatchObject({ description: 'mine' });
    expect((await app.get('/v2/schedules')).data).toHaveLength(1);
  });

  it('uses the next free name where one is taken', async () => {
    const app = await testApp();
    await created(app, '/v2/schedules', { name: 'Web_schedule' });
    await created(app, '/v2/schedules', { name: 'Web_schedule (2)' });
    const { data } = await app.put(DEFAULTS, { teamName: 'Web' }, directory);
    const { scheduleId, escalationId } = data as Defaults;
    expect((await app.get(`/v2/schedules/${scheduleId}`)).data).toMatchObject({ name: 'Web_schedule (3)' });
    expect((await app.get(`/v2/escalations/${escalationId}`)).data).toMatchObject({ name: 'Web_escalation' });
  });

  it('answers 422 without a team name and 403 to a key', async () => {
    const app = await testApp();
    expect((await app.put(DEFAULTS, {}, directory)).status).toBe(422);
    expect((await app.put(DEFAULTS, { teamName: 'Web' })).status).toBe(403);
  });
});

describe('DELETE /internal/teams/{teamId}/defaults', () => {
  it('removes the defaults, also when it is repeated', async () => {
    const { app } = await withTeam();
    expect((await app.delete(DEFAULTS, directory)).status).toBe(200);
    expect((await app.delete(DEFAULTS, directory)).status).toBe(200);
    expect((await app.get('/v2/schedules')).data).toEqual([]);
    expect((await app.get('/v2/escalations')).data).toEqual([]);
  });
});

describe('DELETE /internal/teams/{teamId}', () => {
  it('deletes the defaults and keeps other entities of the team without an owner', async () => {
    const { app } = await withTeam();
    const scheduleId = await created(app, '/v2/schedules', { name: 'Ops', ownerTeam: { id: 'sre' } });
    const rules = [{ delay: { timeAmount: 0 }, recipient: { type: 'user', id: 'ada' } }];
    const escalationId = await created(app, '/v2/escalations', { name: 'Late', ownerTeam: { id: 'sre' }, rules });
    await app.delete('/internal/teams/sre', directory);
    await app.delete(`/internal/teams/${TEAM}`, directory);
    const schedules = (await app.get('/v2/schedules')).data as Record<string, unknown>[];
    const escalations = (await app.get('/v2/escalations')).data as Record<string, unknown>[];
    expect([schedules, escalations]).toMatchObject([[{ id: scheduleId }], [{ id: escalationId }]]);
    expect([schedules[0]?.['ownerTeam'], escalations[0]?.['ownerTeam']]).toEqual([undefined, undefined]);
  });
});

describe('GET /internal/teams/{teamId}/participations', () => {
  it("names each user in each rotation of the team's schedules once, and no user of others", async () => {
    const app = await testApp();
    const [ada, bob, team] = [
      { type: 'user', id: 'ada' },
      { type: 'user', id: 'bob' },
      { type: 'team', id: 'sre' },
    ];
    await created(app, '/v2/schedules', {
      name: 'Ops',
      ownerTeam: { id: 'sre' },
      rotations: [daily([ada, bob, ada, team, { type: 'none' }]), daily([ada])],
    });
    await created(app, '/v2/schedules', { name: 'Empty', rotations: [daily([ada])] });
    expect((await app.get('/internal/teams/sre/participations', directory)).data).toEqual([
      { userId: 'ada', rotation: 'Rot1', schedule: 'Ops' },
      { userId: 'bob', rotation: 'Rot1', schedule: 'Ops' },
      { userId: 'ada', rotation: 'Rot2', schedule: 'Ops' },
    ]);
    expect((await app.get('/internal/teams/other/participations', directory)).data).toEqual([]);
    expect((await app.get('/internal/teams/sre/participations')).status).toBe(403);
  });
});

describe('POST /internal/schedules/participations', () => {
  const PARTICIPATIONS = '/internal/schedules/participations';

  it('names the owner and the users in the rotations of each schedule that exists, each once', async () => {
    const app = await testApp();
    const [ada, bob, team] = [
      { type: 'user', id: 'ada' },
      { type: 'user', id: 'bob' },
      { type: 'team', id: 'sre' },
    ];
    const rotations = [daily([ada, bob, ada, team, { type: 'none' }]), daily([ada])];
    const ops = await created(app, '/v2/schedules', { name: 'Ops', ownerTeam: { id: 'sre' }, rotations });
    const web = await created(app, '/v2/schedules', { name: 'Web' });
    const wanted = { ids: [web, 'gone'], names: ['Ops', 'Web', 'None'] };
    const { data } = await app.post(PARTICIPATIONS, wanted, directory);
    expect(data).toEqual([
      { id: web, name: 'Web', userIds: [] },
      { id: ops, name: 'Ops', ownerTeamId: 'sre', userIds: ['ada', 'bob'] },
    ]);
  });

  it('answers 422 without the lists or with more than 1000 in one, and 403 to a key', async () => {
    const { post } = await testApp();
    const many = Array.from({ length: 1_001 }, (_, n) => `s${n}`);
    expect((await post(PARTICIPATIONS, { ids: many, names: [] }, directory)).status).toBe(422);
    expect((await post(PARTICIPATIONS, { ids: [], names: many }, directory)).status).toBe(422);
    expect((await post(PARTICIPATIONS, {}, directory)).status).toBe(422);
    expect((await post(PARTICIPATIONS, { ids: [], names: [] })).status).toBe(403);
  });
});

describe('GET /internal/uses', () => {
  it('names the rotations and escalations that use a user', async () => {
    const app = await testApp();
    await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([{ type: 'user', id: 'ada' }])] });
    const rules = [{ delay: { timeAmount: 0 }, recipient: { type: 'user', id: 'ada' } }];
    await created(app, '/v2/escalations', { name: 'Late', rules });
    expect((await app.get('/internal/uses?type=user&id=ada', directory)).data).toEqual([
      'It is in rotation [Rot1] of schedule [Ops].',
      'It is a recipient of escalation [Late].',
    ]);
    expect((await app.get('/internal/uses?type=user&id=bob', directory)).data).toEqual([]);
  });

  it("does not count a team's own defaults, but all other uses of the team and of them", async () => {
    const { app, defaults } = await withTeam();
    expect((await app.get(`/internal/uses?type=team&id=${TEAM}`, directory)).data).toEqual([]);
    app.teams.put(TEAM, { id: TEAM, name: 'Web', description: '', members: [], routingRules: [] });
    const rotations = [
      daily([
        { type: 'team', id: TEAM },
        { type: 'escalation', id: defaults.escalationId },
      ]),
    ];
    await created(app, '/v2/schedules', { name: 'Ops', rotations });
    const rules = [{ delay: { timeAmount: 0 }, recipient: { type: 'schedule', id: defaults.scheduleId } }];
    await created(app, '/v2/escalations', { name: 'Late', rules });
    expect((await app.get(`/internal/uses?type=team&id=${TEAM}`, directory)).data).toEqual([
      'It is in rotation [Rot1] of schedule [Ops].',
      'Its default schedule: It is a recipient of escalation [Late].',
      'Its default escalation: It is in rotation [Rot1] of schedule [Ops].',
    ]);
  });

  it('does not count that another team names the team, which would keep it for ever (K9)', async () => {
    const app = await testApp();
    app.teams.put(TEAM, { id: TEAM, name: 'Web', description: '', members: [], routingRules: [] });
    const rotations = [daily([{ type: 'team', id: TEAM }])];
    await created(app, '/v2/schedules', { name: 'Ops', rotations }, teamKey);
    const rules = [{ delay: { timeAmount: 0 }, recipient: { type: 'team', id: TEAM } }];
    await created(app, '/v2/escalations', { name: 'Late', rules }, teamKey);
    expect((await app.get(`/internal/uses?type=team&id=${TEAM}`, directory)).data).toEqual([]);
  });

  it('answers 422 for another type', async () => {
    expect((await (await testApp()).get('/internal/uses?type=schedule&id=x', directory)).status).toBe(422);
  });
});

describe('GET /internal/states', () => {
  it('gives one schedule as on its topic, by id and by name', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([{ type: 'none' }])] });
    for (const query of [`id=${id}`, 'name=Ops']) {
      expect((await app.get(`/internal/states/schedules.v1?${query}`, directory)).data).toMatchObject({
        id,
        deleted: false,
        version: { epoch: app.clock.now().getTime(), n: 1 },
        state: {
          name: 'Ops',
          rotations: [{ startDate: '2026-01-01T00:00:00.000Z', participants: [{ type: 'none' }] }],
        },
      });
    }
  });

  it('gives one escalation, under a version that grows with each change', async () => {
    const { app, defaults } = await withTeam();
    await app.patch(`/v2/escalations/${defaults.escalationId}`, { description: 'new' });
    const { data } = await app.get('/internal/states/escalations.v1?name=Web_escalation', directory);
    expect(data).toMatchObject({ id: defaults.escalationId, version: { n: 2 }, state: { description: 'new' } });
  });

  it('gives all schedules that exist of many', async () => {
    const app = await testApp();
    const [ops, web] = [
      await created(app, '/v2/schedules', { name: 'Ops' }),
      await created(app, '/v2/schedules', { name: 'Web' }),
    ];
    const states = async (index: string, values: readonly string[]) =>
      (await app.post('/internal/states/schedules.v1', { index, values }, directory)).data;
    expect(await states('name', ['Web', 'typo', 'Ops'])).toMatchObject([{ id: web }, { id: ops }]);
    expect(await states('id', [ops, 'Web'])).toMatchObject([{ id: ops }]);
    expect(await states('colour', ['red'])).toEqual([]);
  });

  it('answers 404 for an unknown one and for another index', async () => {
    const app = await testApp();
    expect((await app.get('/internal/states/schedules.v1?id=nope', directory)).status).toBe(404);
    expect((await app.get('/internal/states/schedules.v1?colour=red', directory)).status).toBe(404);
  });
});
