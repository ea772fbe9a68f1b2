import { describe, expect, it } from '@jest/globals';
import {
  policyFixture,
  V1_BODIES,
  V1_TYPES,
  V2_BODIES,
  V2_TYPES,
  NO_ACTIONS,
  type PolicyFixture,
} from '../testing/policy-fixture.ts';

const ofTeam = (path: string, teamId?: string) => (teamId === undefined ? path : `${path}?teamId=${teamId}`);

const listed = async ({ read }: PolicyFixture, path: string) =>
  (await read(path)) as readonly { readonly id: string; readonly order: number }[];
const idsIn = async (fixture: PolicyFixture, path: string) => (await listed(fixture, path)).map(({ id }) => id);

describe('POST /v1/policies and GET /v1/policies/{identifier}', () => {
  it.each(V1_TYPES)('make a policy of type %s that is read as it was written', async (type) => {
    const { send, read } = await policyFixture();
    const body = { ...V1_BODIES[type], type };
    const { status, body: answer } = await send('post', '/v1/policies', body);
    expect(status).toBe(201);
    expect(answer).toMatchObject({
      result: 'Created',
      data: { id: 'policy-1', name: 'Nights', type, enabled: true },
    });
    expect(await read('/v1/policies/policy-1')).toMatchObject({
      ...body,
      id: 'policy-1',
      ...(type === 'modify' && {
        recipients: [
          { type: 'user', id: 'ada', username: 'ada@example.com' },
          { type: 'team', id: 'ops', name: 'Ops' },
          { type: 'all' },
        ],
      }),
    });
  });

  it('accept a name that another policy has', async () => {
    const fixture = await policyFixture();
    const ids = [await fixture.v1('auto-close'), await fixture.v1('auto-close')];
    expect(await idsIn(fixture, '/v1/policies')).toEqual(ids);
  });

  it.each([
    ['type', { type: 'notification-renotify' }],
    ['type', { type: 'alert' }],
    ['name', { type: 'auto-close', name: '' }],
    ['count', { type: 'notification-deduplication', deduplicationActionType: 'value-based', count: 1 }],
  ])('answer 422 that names %s to %j, and write nothing', async (field, wrong) => {
    const fixture = await policyFixture();
    const { status, body } = await fixture.send('post', '/v1/policies', { ...V1_BODIES['auto-close'], ...wrong });
    expect(status).toBe(422);
    expect(Object.keys((body as { errors: object }).errors)).toContain(field);
    expect(await idsIn(fixture, '/v1/policies')).toEqual([]);
  });
});

describe('POST /v2/policies and GET /v2/policies/{identifier}', () => {
  it.each(V2_TYPES.flatMap((type) => [undefined, 'ops'].map((teamId) => ({ type, teamId }))))(
    'make a policy of $type of team $teamId that is read as it was written',
    async ({ type, teamId }) => {
      const { send, read } = await policyFixture();
      const body = { ...V2_BODIES[type], type };
      const { status, body: answer } = await send('post', ofTeam('/v2/policies', teamId), body);
      expect(status).toBe(201);
      expect(answer).toMatchObject({
        result: 'Created',
        data: { id: 'policy-1', name: 'Nights', type, enabled: true },
      });
      const responders = [
        { type: 'user', id: 'ada' },
        { type: 'schedule', id: 'rota' },
      ];
      expect(await read(ofTeam('/v2/policies/policy-1', teamId))).toMatchObject({
        ...body,
        id: 'policy-1',
        ...(teamId !== undefined && { teamId }),
        ...(type === 'alert' && { responders }),
      });
    },
  );

  it('answer 404 that names the team to a team that does not exist, and 503 while it can not be looked up', async () => {
    const fixture = await policyFixture();
    const body = { ...V2_BODIES.notification, type: 'notification' };
    const unknown = await fixture.send('post', '/v2/policies?teamId=gone', body);
    expect(unknown).toMatchObject({ status: 404, body: { message: 'Team does not exist with id: gone' } });
    fixture.replicas.team.refuseWith(new Error('unavailable'));
    expect((await fixture.send('post', '/v2/policies?teamId=gone', body)).status).toBe(503);
    expect((await fixture.configuration.current()).policies).toEqual([]);
  });

  it('treat an empty teamId, which clients send, as absent', async () => {
    const fixture = await policyFixture();
    const id = await fixture.v2('alert', {}, '');
    expect(await fixture.read(`/v2/policies/${id}?teamId=`)).not.toHaveProperty('teamId');
    expect(await idsIn(fixture, '/v1/policies')).toEqual([id]);
  });
});

describe('a recipient of a policy', () => {
  const naming = (recipient: object) => ({ ...V1_BODIES.modify, type: 'modify', recipients: [recipient] });

  it.each([
    [{ type: 'user', id: 'eve' }, 'id: eve'],
    [{ type: 'user', username: 'eve@example.com' }, 'username: eve@example.com'],
    [{ type: 'team', name: 'None' }, 'name: None'],
    [{ type: 'schedule', id: 'x' }, 'id: x'],
    [{ type: 'escalation', name: 'x' }, 'name: x'],
  ])('that does not exist is answered 404 that names it: %j', async (recipient, named) => {
    const fixture = await policyFixture();
    const refused = { status: 404, body: { message: `Responder does not exist with ${named}` } };
    expect(await fixture.send('post', '/v1/policies', naming(recipient))).toMatchObject(refused);
    const id = await fixture.v1('modify');
    const before = await fixture.configuration.current();
    expect(await fixture.send('put', `/v1/policies/${id}`, naming(recipient))).toMatchObject(refused);
    expect(await fixture.configuration.current()).toBe(before);
  });

  it('that can not be looked up is answered 503', async () => {
    const fixture = await policyFixture();
    fixture.replicas.user.refuseWith(new Error('unavailable'));
    const { status, body } = await fixture.send('post', '/v1/policies', naming({ type: 'user', id: 'eve' }));
    expect(status).toBe(503);
    expect(body).toMatchObject({ message: 'Responder with id: eve can not be looked up.' });
  });

  it('that was deleted survives a PUT of the answer to a GET, and can not be added again', async () => {
    const fixture = await policyFixture();
    const id = await fixture.v1('modify');
    fixture.replicas.user.remove('ada');
    const before = await fixture.configuration.current();
    const shown = (await fixture.read(`/v1/policies/${id}`)) as object;
    expect(shown).toMatchObject({ recipients: [{ type: 'user', id: 'ada' }, {}, {}] });
    expect((await fixture.send('put', `/v1/policies/${id}`, shown)).status).toBe(200);
    expect(await fixture.configuration.current()).toBe(before);
    expect((await fixture.send('put', `/v1/policies/${id}`, naming({ type: 'team', id: 'ops' }))).status).toBe(200);
    expect((await fixture.send('put', `/v1/policies/${id}`, naming({ type: 'user', id: 'ada' }))).status).toBe(404);
  });
});

describe('GET of lists of policies', () => {
  it('answers in version 1 the account groups, in version 2 each kind of a scope by order', async () => {
    const fixture = await policyFixture();
    const { v1, v2 } = fixture;
    const modify = await v1('modify');
    const suppress = await v1('notification-suppress');
    const close = await v1('auto-close');
    const delay = await v1('notification-delay');
    const restart = await v1('auto-restart-notifications');
    const none = await v2('notification', { suppress: false, ...NO_ACTIONS });
    const own = [await v2('notification', {}, 'ops'), await v2('alert', {}, 'ops')];
    expect(await fixture.read('/v1/policies')).toEqual(
      (
        [
          [restart, 'auto-restart-notifications', 0],
          [close, 'auto-close', 0],
          [suppress, 'notification-suppress', 0],
          [delay, 'notification-delay', 1],
          [modify, 'modify', 0],
        ] as const
      ).map(([id, type, order]) => ({ id, name: 'Nights', type, order, enabled: true })),
    );
    expect(await fixture.read('/v2/policies/alert')).toEqual([
      { id: modify, name: 'Nights', type: 'alert', order: 0, enabled: true },
    ]);
    const notifying = [suppress, close, delay, restart, none];
    expect(await listed(fixture, '/v2/policies/notification')).toMatchObject(
      notifying.map((id, order) => ({ id, order, type: 'notification' })),
    );
    expect(await idsIn(fixture, '/v2/policies/notification?teamId=ops')).toEqual([own[0]]);
    expect(await idsIn(fixture, '/v2/policies/alert?teamId=ops')).toEqual([own[1]]);
    expect(await idsIn(fixture, '/v2/policies/alert?teamId=red')).toEqual([]);
  });

  it.each(V2_TYPES)('answers 404 that names the team to a team that does not exist: %s', async (type) => {
    const { get } = await policyFixture();
    expect(await get(`/v2/policies/${type}?teamId=gone`)).toMatchObject({
      status: 404,
      body: { message: 'Team does not exist with id: gone' },
    });
  });
});

describe('a path of policies', () => {
  it.each([
    ['put', '/v1/policies'],
    ['patch', '/v1/policies/x'],
    ['get', '/v2/policies'],
    ['put', '/v2/policies/x/enable'],
  ] as const)('answers 405 to a method that it does not take: %s %s', async (method, path) => {
    expect((await (await policyFixture()).send(method, path)).status).toBe(405);
  });
});
