import { beforeEach, describe, expect, it } from '@jest/globals';
import type { UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { Caller } from '@tocsin/http';
import { teamOf, userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const path = '/v2/readiness';

/** A user whom a P1 alert reaches. */
const ready = (id: string): UserState => {
  const contact = { method: 'email' as const, to: `${id}@example.com` };
  const steps = [{ id: 'step', contact, sendAfterMinutes: 0, enabled: true }];
  const criteria = { type: 'match-all' as const, conditions: [] };
  const rule = {
    id: 'rule',
    name: 'New',
    actionType: 'create-alert' as const,
    order: 0,
    enabled: true,
    criteria,
    steps,
  };
  return { ...userOf(id), contacts: [{ id: 'contact', ...contact, enabled: true }], notificationRules: [rule] };
};

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  for (const id of ['ada', 'bob', 'eve']) app.users.put(id, ready(id));
  app.teams.put('sre', {
    ...teamOf('sre', { ada: 'admin', bob: 'user' }, { type: 'schedule', id: 'gone' }),
    name: 'SRE',
  });
});

interface Listed {
  readonly kind: string;
  readonly entity: { readonly name: string };
}
const kindsOf = (data: unknown): readonly string[] =>
  (data as Listed[]).map(({ entity, kind }) => `${kind} ${entity.name}`);
const listed = async (query = '') => kindsOf((await app.get(`${path}${query}`)).data);

const nights = (over: object = {}) => ({
  name: 'Nights',
  ownerTeam: { name: 'SRE' },
  rotations: [daily([{ type: 'user', id: 'ada' }], { name: 'Primary' })],
  ...over,
});

describe('the findings of other services', () => {
  const integration = { type: 'integration', id: 'i1', name: 'Prometheus' } as const;
  const given = {
    kind: 'integration-refused',
    severity: 'error',
    teamIds: ['sre'],
    entity: integration,
    message: 'Its last alert was refused.',
    remedy: 'Mend it.',
    path: '/v2/integrations/i1',
  } as const;

  it('are listed with those of scheduling, for their team, and count', async () => {
    app.directory.others = { findings: [given], incompleteServices: [] };
    const { body, data } = await app.get(`${path}?kind=integration-refused`, teamKey);
    expect(data).toEqual([
      {
        id: 'integration-refused:i1',
        kind: 'integration-refused',
        severity: 'error',
        teams: [{ id: 'sre', name: 'SRE' }],
        entity: integration,
        message: given.message,
        remedy: given.remedy,
        path: given.path,
      },
    ]);
    expect(body).toMatchObject({ incompleteServices: [], errorCount: 1, counts: { 'integration-refused': 1 } });
  });

  it('are named where they are missing', async () => {
    app.directory.others = { findings: [], incompleteServices: ['alert-ingest'] };
    expect((await app.get(path)).body).toMatchObject({ incompleteServices: ['alert-ingest'] });
  });
});

describe('GET /v2/readiness', () => {
  it('answers each finding with its teams, its entity, its sentence and where it is mended', async () => {
    const id = await created(app, '/v2/schedules', nights());
    const { body, data, status } = await app.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      computedAt: '2026-01-01T12:00:00Z',
      totalCount: 2,
      errorCount: 1,
      uncheckedSchedules: 0,
      counts: { 'rotation-of-one': 1, 'routing-without-recipient': 1, 'schedule-gap': 0 },
      paging: { first: expect.stringMatching(/\/v2\/readiness\?offset=0&limit=100$/) },
    });
    expect(kindsOf(data)).toEqual(['routing-without-recipient SRE', 'rotation-of-one Nights']);
    const rotation = (data as { part: { id: string } }[])[1]?.part.id ?? '';
    expect((data as unknown[])[1]).toEqual({
      id: `rotation-of-one:${id}:${rotation}`,
      kind: 'rotation-of-one',
      severity: 'warning',
      teams: [{ id: 'sre', name: 'SRE' }],
      entity: { type: 'schedule', id, name: 'Nights' },
      part: { type: 'rotation', id: rotation, name: 'Primary' },
      message:
        'Rotation [Primary] of schedule [Nights] has one user: while ada@example.com does not answer, it pages no other user.',
      remedy: 'Add a second user to the rotation.',
      path: `/v2/schedules/${id}/rotations/${rotation}`,
    });
  });

  it('has each schedule that was written before, at once', async () => {
    expect(await listed()).toEqual(['routing-without-recipient SRE']);
    const id = await created(app, '/v2/schedules', nights());
    expect(await listed()).toEqual(['routing-without-recipient SRE', 'rotation-of-one Nights']);
    await app.delete(`/v2/schedules/${id}`);
    expect(await listed()).toEqual(['routing-without-recipient SRE']);
  });

  it('has users and teams of 5 s before at most, and the present of 30 s before', async () => {
    await created(app, '/v2/schedules', nights());
    await listed();
    app.users.put('ada', { ...ready('ada'), contacts: [] });
    app.clock.advance(4_999);
    expect(await listed('?kind=user-without-contact')).toEqual([]);
    app.clock.advance(1);
    expect(await listed('?kind=user-without-contact')).toEqual(['user-without-contact ada@example.com']);
    const computedAt = async () => (await app.get(path)).body['computedAt'];
    const first = await computedAt();
    app.clock.advance(29_999);
    expect(await computedAt()).toBe(first);
    app.clock.advance(1);
    expect(await computedAt()).not.toBe(first);
  });

  it('computes once for callers who ask at the same time', async () => {
    await created(app, '/v2/schedules', nights());
    const answers = await Promise.all([app.operations.readiness.current(), app.operations.readiness.current()]);
    expect(answers[0]).toBe(answers[1]);
  });

  it('lists the findings of a team by id or name, of some kinds, and in pages', async () => {
    app.teams.put('ops', { ...teamOf('ops', {}, { type: 'none' }), name: 'Ops' });
    await created(app, '/v2/schedules', nights());
    await created(app, '/v2/schedules', nights({ name: 'Days', ownerTeam: { name: 'Ops' } }));
    expect(await listed('?team=sre')).toEqual(['routing-without-recipient SRE', 'rotation-of-one Nights']);
    expect(await listed('?team=Ops')).toEqual(['routing-without-recipient Ops', 'rotation-of-one Days']);
    expect(await listed('?kind=rotation-of-one,schedule-gap')).toEqual([
      'rotation-of-one Days',
      'rotation-of-one Nights',
    ]);
    const { body, data } = await app.get(`${path}?kind=rotation-of-one&team=Ops&limit=1`);
    expect(body).toMatchObject({ totalCount: 1, counts: { 'routing-without-recipient': 1 } });
    expect(kindsOf(data)).toEqual(['rotation-of-one Days']);
    const second = await app.get(`${path}?limit=1&offset=1&kind=rotation-of-one`);
    expect(kindsOf(second.data)).toEqual(['rotation-of-one Nights']);
    expect(second.body['paging']).toEqual({
      first: expect.stringMatching(/\?kind=rotation-of-one&offset=0&limit=1$/),
      last: expect.stringMatching(/offset=1&limit=1$/),
      prev: expect.stringMatching(/offset=0&limit=1$/),
    });
  });

  it.each([
    ['?kind=gaps', 'kind'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?offset=-1', 'offset'],
  ])('refuses %s with 422 for the field', async (query, field) => {
    const { body, status } = await app.get(`${path}${query}`);
    expect([status, Object.keys(body['errors'] ?? {}).map((name) => name.split('[')[0])]).toEqual([422, [field]]);
  });

  it('answers 404 for a team that does not exist', async () => {
    const { body, status } = await app.get(`${path}?team=nothing`);
    expect([status, body['message']]).toEqual([404, 'Team does not exist with id or name: nothing']);
  });

  it('lists for the key of a team the findings of this team', async () => {
    app.teams.put('ops', { ...teamOf('ops', {}, { type: 'none' }), name: 'Ops' });
    await created(app, '/v2/schedules', nights({ name: 'Days', ownerTeam: { name: 'Ops' } }));
    const { body, data } = await app.get(path, teamKey);
    expect(kindsOf(data)).toEqual(['routing-without-recipient SRE']);
    expect(body['counts']).toMatchObject({ 'rotation-of-one': 0 });
    expect((await app.get(`${path}?team=Ops`, teamKey)).data).toEqual([]);
  });

  it('shows to the key of a team no name of what another team owns, and to others everything', async () => {
    app.teams.put('ops', { ...teamOf('ops', {}, { type: 'none' }), name: 'Ops' });
    app.users.put('ada', { ...ready('ada'), contacts: [] });
    app.users.put('bob', { ...ready('bob'), notificationRules: [] });
    const both = ['ada', 'bob'].map((id) => ({ type: 'user', id }));
    await created(app, '/v2/schedules', {
      name: 'Secret days',
      ownerTeam: { name: 'Ops' },
      rotations: [daily(both)],
    });
    await created(app, '/v2/escalations', {
      name: 'Secret steps',
      ownerTeam: { name: 'Ops' },
      rules: both.map((recipient) => ({
        condition: 'if-not-acked',
        notifyType: 'default',
        delay: { timeAmount: 0 },
        recipient,
      })),
    });
    const query = `${path}?kind=user-without-contact,user-without-rule`;
    const seen = async (caller?: Caller) =>
      ((await app.get(query, caller)).data as { message: string; teams: { name: string }[] }[]).map(
        ({ message, teams }) => [message.split(' pages ')[0], teams.map(({ name }) => name)],
      );
    const other = ['A schedule or an escalation outside the team', ['SRE']];
    expect(await seen(teamKey)).toEqual([other, other]);
    expect(JSON.stringify((await app.get(path, teamKey)).body)).not.toMatch(/Secret|Ops/);
    const all = ['Schedule [Secret days]', ['SRE', 'Ops']];
    expect(await seen()).toEqual([all, all]);
    const person = { kind: 'user', userId: 'eve', username: 'eve@example.com', role: 'observer', teams: [] } as const;
    expect(await seen(person)).toEqual([all, all]);
    await created(app, '/v2/schedules', nights({ rotations: [daily(both)] }));
    const own = ['Schedule [Nights]', ['SRE']];
    expect(await seen(teamKey)).toEqual([own, own]);
    expect(await seen()).toEqual([all, all]);
  });

  it('asks directory for users whom the replica lacks, and says nothing of those for whom it does not answer', async () => {
    await created(
      app,
      '/v2/schedules',
      nights({
        rotations: [
          daily([
            { type: 'user', id: 'eve' },
            { type: 'user', id: 'bob' },
          ]),
        ],
      }),
    );
    for (const id of ['eve', 'bob']) app.users.forget(id);
    app.users.refuseWith(new UnavailableError('directory is unavailable'));
    expect(await listed('?kind=schedule-gap')).toEqual([]);
    app.users.refuseWith(undefined);
    app.clock.advance(30_000);
    expect(await listed('?kind=schedule-gap')).toEqual(['schedule-gap Nights']);
  });
});
