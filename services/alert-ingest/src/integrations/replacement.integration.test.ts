import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { ScheduleState, TeamState } from '@tocsin/events';
import { hashKey } from '@tocsin/http';
import { ensureDefaultIntegration } from './operations.ts';
import { DEFAULT_INTEGRATION } from './integration.ts';
import { ACCOUNT, countingIds, OPS, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

let service: TestService;

beforeEach(async () => {
  service = await openService();
  service.teams.put(OPS.id, OPS);
  const { store, clock } = service;
  await ensureDefaultIntegration(
    { store, clock, newId: countingIds(), notice: () => undefined },
    'b0b0b0b0-0000-4000-8000-000000000000',
  );
});

async function created(fields: object = {}): Promise<Created> {
  const { status, body } = await service.call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
  expect(status).toBe(201);
  return (body as { data: Created }).data;
}

const replace = (id: string, body: object, caller = ACCOUNT) =>
  service.call('put', `/v2/integrations/${id}`, body, caller);

async function detail(id: string): Promise<Record<string, unknown>> {
  return ((await service.call('get', `/v2/integrations/${id}`)).body as { data: Record<string, unknown> }).data;
}

describe('PUT /v2/integrations/{integrationId}', () => {
  it('replaces everything: what is left out returns to its default, the access flags too (P2)', async () => {
    const bare = await detail((await created({ name: 'Bare' })).id);
    const { id, apiKey } = await created({
      ownerTeam: { name: 'Ops' },
      allowConfigurationAccess: true,
      allowWriteAccess: false,
      enabled: false,
      suppressNotifications: true,
      ignoreTeamsFromPayload: true,
      recipients: [{ type: 'all' }],
    });
    const { status, body } = await replace(id, { type: 'API', name: 'Renamed' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { code: 200, data: { id, name: 'Renamed', enabled: true, type: 'API' } },
    });
    expect(await detail(id)).toEqual({ ...bare, id, name: 'Renamed' });
    expect(await service.store.find(id)).toMatchObject({ key: { hash: hashKey(apiKey) }, version: { n: 2 } });
  });

  it('changes nothing when it is given what GET answers, as clients send it (E10; wire facts 10.7)', async () => {
    const { id } = await created({
      ownerTeam: { name: 'Ops' },
      responders: [{ type: 'team', name: 'Ops' }],
      alertActions: ['Create'],
      alertFilter: {
        conditionMatchType: 'Match All Conditions',
        conditions: [{ field: 'Message', isNot: true, operation: 'Starts With', expectedValue: 'x' }],
      },
    });
    const before = await detail(id);
    const sent = { url: '', emailUsername: '', headers: null, addAlertDetails: null, assignedTeam: null };
    expect((await replace(id, { ...before, ...sent, Id: id })).status).toBe(200);
    expect(await detail(id)).toEqual(before);
  });

  it('takes back what a key that may write reads of a webhook, and refuses what others read of it (K10, E10)', async () => {
    const url = 'https://chat.example.com/services/secret-path?token=secret-token';
    const headers = { 'X-Token': 'secret-header', Accept: 'text/plain' };
    const { id } = await created({ type: 'Webhook', name: 'Chat', url, headers });
    const reader = { ...ACCOUNT, mayWrite: false };
    const read = await service.call('get', `/v2/integrations/${id}`, undefined, reader);
    const seen = read.body['data'] as Record<string, unknown>;
    expect(seen).toMatchObject({
      url: 'https://chat.example.com/*****',
      headers: { 'X-Token': '*****', Accept: '*****' },
    });
    expect(JSON.stringify(read.body)).not.toContain('secret');
    for (const [field, hidden] of Object.entries({ url: seen['url'], headers: seen['headers'] }))
      expect(await replace(id, { ...(await detail(id)), [field]: hidden })).toMatchObject({ status: 422 });
    expect(await detail(id)).toMatchObject({ url, headers });
    expect((await replace(id, await detail(id))).status).toBe(200);
    expect(await detail(id)).toMatchObject({ url, headers });
  });

  it('goes on naming what has vanished where it named it before, and finds nothing else that is not there (E10)', async () => {
    const named = { id: OPS.id, name: OPS.name };
    const responders = [{ type: 'team', ...named }];
    const { id } = await created({ ownerTeam: named, assignedTeam: named, responders });
    const action = { type: 'create', name: 'Own', alias: '{{alias}}', responders };
    const path = `/v2/integrations/${id}/actions`;
    expect((await service.call('post', path, action)).status).toBe(201);
    service.teams.remove(OPS.id);
    const [before, actions] = [await detail(id), (await service.call('get', path)).body['data'] as object];
    expect(before).toMatchObject({ ownerTeam: named, assignedTeam: named, responders });
    expect((await replace(id, before)).status).toBe(200);
    expect((await service.call('put', path, actions)).status).toBe(200);
    expect(await detail(id)).toEqual(before);
    expect((await replace(id, { ...before, assignedTeam: { name: OPS.name } })).status).toBe(404);
    const other = await created({ name: 'Other' });
    expect((await replace(other.id, { type: 'API', name: 'Other', assignedTeam: named })).status).toBe(404);
  });

  it.each([[{}], [{ ownerTeam: null }]])('without owner team makes it account-wide: %j (P12)', async (fields) => {
    const { id } = await created({ ownerTeam: { name: 'Ops' } });
    expect((await replace(id, { type: 'api', name: 'Probe', ...fields })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ isGlobal: true, type: 'api' });
  });

  it.each([
    [{ enabled: false }],
    [{ allowReadAccess: false }],
    [{ allowWriteAccess: false }],
    [{ allowConfigurationAccess: false }],
    [{ ownerTeam: { name: 'Ops' } }],
  ])(
    'with %j is published to every service before it is answered, else 503, however often it is asked (K2)',
    async (fields) => {
      const { id } = await created({ allowConfigurationAccess: true });
      const body = { type: 'API', name: 'Probe', allowConfigurationAccess: true, ...fields };
      service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
      expect((await replace(id, body)).status).toBe(503);
      expect((await replace(id, body)).status).toBe(503);
      service.announcer.refuseWith(undefined);
      expect((await replace(id, body)).status).toBe(200);
      expect(service.announcer.insisted).toEqual([id]);
    },
  );

  it('answers 422 to another type, 409 to a name that is taken, and changes nothing', async () => {
    await created({ name: 'Taken' });
    const { id } = await created();
    const before = await detail(id);
    expect(await replace(id, { type: 'Grafana', name: 'Probe' })).toMatchObject({
      status: 422,
      body: { errors: { type: 'of an integration of type [API] can not be changed' } },
    });
    expect((await replace(id, { type: 'API', name: 'Taken' })).status).toBe(409);
    expect((await replace(id, { type: 'API', name: '' })).status).toBe(422);
    expect((await replace(id, { type: 'API', name: 'Probe', ownerTeam: { name: 'No' } })).status).toBe(404);
    expect(await detail(id)).toEqual(before);
  });

  it('keeps the integration of a team key with its team, and others from it (K4, K8)', async () => {
    const own = await created({ ownerTeam: { name: 'Ops' } });
    expect((await replace(own.id, { type: 'API', name: 'Mine', ownerTeam: null }, TEAM)).status).toBe(200);
    expect(await detail(own.id)).toMatchObject({ name: 'Mine', ownerTeam: { id: OPS.id } });
    const other = await created({ name: 'other' });
    expect((await replace(other.id, { type: 'API', name: 'Mine too' }, TEAM)).status).toBe(403);
    expect((await replace('none', { type: 'API', name: 'x' })).status).toBe(404);
  });

  it("lets the key of a team name its own team's things and other teams, and keep what the integration names (K9)", async () => {
    const schedule = { description: '', enabled: true, timezone: 'UTC', rotations: [], overrides: [] };
    service.schedules.put('own', { ...schedule, id: 'own', name: 'Own', ownerTeamId: OPS.id });
    service.schedules.put('theirs', { ...schedule, id: 'theirs', name: 'Theirs', ownerTeamId: 'team-2' });
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Red' });
    const { id } = await created({ ownerTeam: { name: 'Ops' } });
    const naming = (...recipients: readonly object[]) => ({ type: 'API', name: 'Mine', recipients });
    const [own, theirs, red] = [
      { type: 'schedule', id: 'own' },
      { type: 'schedule', name: 'Theirs' },
      { type: 'team', name: 'Red' },
    ];
    expect((await replace(id, naming(own, red), TEAM)).status).toBe(200);
    expect((await replace(id, naming(own, theirs), TEAM)).status).toBe(403);
    expect((await replace(id, { ...naming(theirs), ownerTeam: { name: 'Ops' } })).status).toBe(200);
    expect((await replace(id, naming(own, theirs), TEAM)).status).toBe(200);
  });

  it.each([
    [{ enabled: false }, 'enabled'],
    [{ allowReadAccess: false }, 'allowReadAccess'],
    [{ allowWriteAccess: false }, 'allowWriteAccess'],
    [{ allowConfigurationAccess: undefined }, 'allowConfigurationAccess'],
    [{ ownerTeam: { name: 'Ops' } }, 'ownerTeam'],
    [{ type: 'Grafana' }, 'type'],
  ])('refuses of the default integration %j (K7)', async (fields, field) => {
    const body = { type: 'API', name: 'Default API', allowConfigurationAccess: true };
    expect((await replace(DEFAULT_INTEGRATION.id, { ...body, name: 'Own' })).status).toBe(200);
    const { status, body: refusal } = await replace(DEFAULT_INTEGRATION.id, { ...body, ...fields });
    expect({ status, refusal }).toMatchObject({ status: 422, refusal: { errors: { [field]: expect.any(String) } } });
    expect(await detail(DEFAULT_INTEGRATION.id)).toMatchObject({ name: 'Own', enabled: true, isGlobal: true });
  });

  it.each([
    ['delete', ''],
    ['post', '/disable'],
  ] as const)('refuses to %s the default integration%s, and names it (K7)', async (method, suffix) => {
    const { status, body } = await service.call(method, `/v2/integrations/${DEFAULT_INTEGRATION.id}${suffix}`);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: { integrationId: expect.stringContaining('[Default API] can not be') } },
    });
  });
});

describe('an integration of type Email', () => {
  const email = { type: 'Email', name: 'Mail', emailUsername: 'Ops.Night' };

  it('answers its address and has no key', async () => {
    const answered = await service.call('post', '/v2/integrations', email);
    const { data } = answered.body as { data: Record<string, unknown> };
    expect(data).toMatchObject({ type: 'Email', emailAddress: 'Ops.Night@alerts.example.com' });
    expect(data).not.toHaveProperty('apiKey');
    const id = String(data['id']);
    expect(await detail(id)).toMatchObject({
      emailUsername: 'Ops.Night',
      emailAddress: 'Ops.Night@alerts.example.com',
    });
    expect((await replace(id, { ...email, emailUsername: 'day' })).body).toMatchObject({
      data: { emailAddress: 'day@alerts.example.com' },
    });
    expect((await service.call('post', `/v2/integrations/${id}/rotate-key`)).status).toBe(422);
  });

  it('is the only one of its address, in any letter case', async () => {
    await created(email);
    const { status, body } = await service.call('post', '/v2/integrations', {
      ...email,
      name: 'Other',
      emailUsername: 'ops.night',
    });
    expect({ status, body }).toMatchObject({ status: 409, body: { message: expect.stringContaining('[ops.night]') } });
  });
});

describe('an integration of type Webhook', () => {
  it('is returned whole, and returns to its defaults by PUT', async () => {
    const webhook = { type: 'Webhook', name: 'Hook', url: 'https://example.com/x' };
    const whole = { headers: { 'X-A': 'b' }, addAlertDetails: true, addAlertDescription: true };
    const { id, apiKey } = await created({ ...webhook, ...whole });
    expect(apiKey).toEqual(expect.any(String));
    expect(await detail(id)).toMatchObject({ ...webhook, ...whole });
    expect((await replace(id, webhook)).status).toBe(200);
    expect(await detail(id)).toMatchObject({
      ...webhook,
      headers: {},
      addAlertDetails: false,
      addAlertDescription: false,
    });
  });
});

describe('an integration of a chat (P22)', () => {
  const secrets = { token: 'xoxb-1', signingSecret: 's', commandToken: 'c', appToken: 'xapp-1' };
  const slack = { type: 'SlackApp', name: 'Incidents', channel: 'C1', ...secrets };

  it('posts what people want to know unless it says otherwise, and is returned whole', async () => {
    const { id, apiKey } = await created(slack);
    expect(apiKey).toEqual(expect.any(String));
    expect(await detail(id)).toMatchObject({
      ...slack,
      behavesAs: 'chat',
      url: 'https://slack.com/api',
      thread: 'all',
      mention: 'none',
      addAlertDetails: true,
      addAlertDescription: true,
      sendAlertActions: true,
      alertActions: expect.arrayContaining(['Create', 'Close', 'Delete']),
    });
    const changed = {
      ...slack,
      thread: 'none',
      mention: 'responders',
      alertActions: ['Create'],
      sendAlertActions: false,
      addAlertDetails: false,
    };
    expect((await replace(id, changed)).status).toBe(200);
    expect(await detail(id)).toMatchObject(changed);
  });

  it.each(['-1001234567890', '4711', '-1001234567890:12', '@tocsin_alerts', '@tocsin_alerts:12'])(
    'of Telegram posts in the chat %s, at the API of Telegram unless it has another',
    async (channel) => {
      const telegram = { type: 'Telegram', name: `Chat ${channel}`, channel, token: '123456:ABC-DEF_g' };
      const { id } = await created(telegram);
      expect(await detail(id)).toMatchObject({ ...telegram, behavesAs: 'chat', url: 'https://api.telegram.org' });
    },
  );

  it('without a channel has a key and posts nothing', async () => {
    const { id, apiKey } = await created({ type: 'Slack', name: 'Old' });
    expect(apiKey).toEqual(expect.any(String));
    expect(await detail(id)).not.toHaveProperty('channel');
    const { body } = await service.call('get', `/internal/webhooks/${id}`, undefined, { service: 'notifier' });
    expect(body).toMatchObject({ data: null });
  });

  const schedule = (id: string, name: string, ownerTeamId?: string) =>
    ({ id, name, ...(ownerTeamId !== undefined && { ownerTeamId }) }) as ScheduleState;

  it('shows who is on call in schedules, which are named by id or name, and takes back what was read (C10, E10)', async () => {
    service.schedules.put('s1', schedule('s1', 'Database nights'));
    service.schedules.put('s2', schedule('s2', 'Web'));
    const onCall = [
      { schedule: { name: 'Database nights' }, userGroup: 'S0123456789', topic: true },
      { schedule: { id: 's2' }, announce: 'true' },
    ];
    const { id } = await created({ ...slack, channel: 'C0123456789', onCall });
    const shown = [
      { schedule: { id: 's1', name: 'Database nights' }, userGroup: 'S0123456789', topic: true, announce: false },
      { schedule: { id: 's2', name: 'Web' }, topic: false, announce: true },
    ];
    const read = await detail(id);
    expect(read).toMatchObject({ onCall: shown });
    const state = async () => {
      const { body } = await service.call(
        'post',
        '/internal/states/integrations.v1',
        { index: 'id', values: [id] },
        { service: 'notifier' },
      );
      return body;
    };
    expect(await state()).toMatchObject({ data: [{ state: { onCall: shown } }] });
    service.schedules.put('s1', schedule('s1', 'Databases'));
    expect(await detail(id)).toMatchObject({ onCall: [{ schedule: { name: 'Databases' } }, {}] });
    service.schedules.remove('s2');
    expect(await replace(id, read)).toMatchObject({ status: 200 });
    expect(await detail(id)).toMatchObject({ onCall: [{}, { schedule: { id: 's2', name: 'Web' } }] });
    expect(await replace(id, slack)).toMatchObject({ status: 200 });
    expect(await detail(id)).not.toHaveProperty('onCall');
  });

  it('of a team names no schedule of another team, and no schedule twice; one that is not there is 404 (C10, K9)', async () => {
    service.teams.put('red', { id: 'red', name: 'Red' } as TeamState);
    service.schedules.put('s1', schedule('s1', 'Own', 'red'));
    service.schedules.put('s2', schedule('s2', 'Other', 'blue'));
    const asked = async (...ids: string[]) => {
      const onCall = ids.map((id) => ({ schedule: { id }, announce: true }));
      return service.call('post', '/v2/integrations', { ...slack, ownerTeam: { id: 'red' }, onCall }, ACCOUNT);
    };
    expect(await asked('s1', 's2')).toMatchObject({
      status: 422,
      body: { errors: { 'onCall[1].schedule': 'is of another team than the integration' } },
    });
    expect(await asked('s1', 's1')).toMatchObject({
      status: 422,
      body: { errors: { 'onCall[1].schedule': 'is named twice' } },
    });
    expect(await asked('gone')).toMatchObject({ status: 404 });
    expect(await asked('s1')).toMatchObject({ status: 201 });
  });

  const entry = { schedule: { name: 'Own' }, announce: true };
  it.each<[string, object, readonly string[]]>([
    ['more than 10 schedules', { onCall: Array.from({ length: 11 }, () => entry) }, ['onCall']],
    ['no list', { onCall: 'Own' }, ['onCall']],
    ['no schedule', { onCall: [{ announce: true }] }, ['onCall[0].schedule']],
    ['a schedule without id and name', { onCall: [{ schedule: {}, announce: true }] }, ['onCall[0].schedule']],
    ['nothing to show', { onCall: [{ schedule: { name: 'Own' } }] }, ['onCall[0]']],
    ['the name of a user group', { onCall: [{ ...entry, userGroup: '@database' }] }, ['onCall[0].userGroup']],
    [
      'a user group of Mattermost',
      { type: 'Mattermost', url: 'https://chat.example.com', onCall: [entry, { ...entry, userGroup: 'S0123456789' }] },
      ['onCall[1].userGroup'],
    ],
    ['a topic of a channel by name', { channel: 'alerts', onCall: [{ ...entry, topic: true }] }, ['channel']],
    ['a flag that is none', { onCall: [{ ...entry, topic: 'perhaps' }] }, ['onCall[0].topic']],
    ['no channel', { channel: '', token: '', onCall: [entry] }, ['channel', 'token']],
    ['null in it', { onCall: [null] }, ['onCall[0]']],
  ])('with %s in onCall is refused', async (_, fields, errors) => {
    const { body, status } = await service.call('post', '/v2/integrations', { ...slack, ...fields }, ACCOUNT);
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, errors]);
  });

  it('shows its secrets to a key that may write, and takes back what that key read (K10, E10)', async () => {
    const { id } = await created(slack);
    const read = await detail(id);
    expect(await replace(id, read)).toMatchObject({ status: 200 });
    expect(await detail(id)).toEqual(read);
    const { body } = await service.call('get', `/v2/integrations/${id}`, undefined, { ...ACCOUNT, mayWrite: false });
    expect(body).toMatchObject({
      data: { channel: 'C1', token: '*****', signingSecret: '*****', commandToken: '*****', appToken: '*****' },
    });
    const { data } = body as { data: object };
    expect(await replace(id, data)).toMatchObject({
      status: 422,
      body: {
        errors: {
          token: expect.any(String),
          signingSecret: expect.any(String),
          commandToken: expect.any(String),
          appToken: expect.any(String),
        },
      },
    });
    expect(await detail(id)).toEqual(read);
  });

  it.each<[object, readonly string[]]>([
    [{ token: undefined }, ['token']],
    [{ channel: '' }, ['channel']],
    [{ channel: 'the incidents' }, ['channel']],
    [{ type: 'Mattermost' }, ['url']],
    [{ token: 'a b' }, ['token']],
    [{ appToken: 'xoxb-1' }, ['appToken']],
    [{ appToken: 'xapp-1 2' }, ['appToken']],
    [{ channel: '', token: '' }, ['channel', 'token']],
    [{ thread: 'some' }, ['thread']],
    [{ mention: 'everyone' }, ['mention']],
    [{ url: 'ftp://chat.example.com' }, ['url']],
    [{ type: 'Telegram', token: 'xoxb-1', channel: '-100' }, ['token']],
    [{ type: 'Telegram', token: '1:a/b', channel: '-100' }, ['token']],
    [{ type: 'telegram', token: '1:a', channel: 'C1' }, ['channel']],
    [{ type: 'Telegram', token: '1:a', channel: '-100:x' }, ['channel']],
  ])('is refused with %j', async (fields, refused) => {
    const { status, body } = await service.call('post', '/v2/integrations', { ...slack, ...fields });
    expect({ status, fields: Object.keys((body as { errors: object }).errors) }).toEqual({
      status: 422,
      fields: refused,
    });
  });
});

describe('an integration of a chat that is posted to by a webhook (P22)', () => {
  const url = 'https://chat.example.com/api/webhooks/1/secret-path?thread_id=2';

  it.each(['Discord', 'MSTeamsV2', 'GoogleChat'])(
    'of type %s has its URL in place of a channel and a token',
    async (type) => {
      const chat = { type, name: type, url };
      const { id } = await created(chat);
      const read = await detail(id);
      expect(read).toMatchObject({ ...chat, behavesAs: 'chat', thread: 'all', sendAlertActions: true });
      for (const field of ['channel', 'token']) expect(read).not.toHaveProperty(field);
      expect(await replace(id, read)).toMatchObject({ status: 200 });
      expect(await detail(id)).toEqual(read);
      const internal = await service.call('get', `/internal/webhooks/${id}`, undefined, { service: 'notifier' });
      expect(internal.body).toMatchObject({ data: { url, isOn: true, chat: { channel: '', token: '' } } });
    },
  );

  it('of a type that existing clients make without a URL posts nothing then', async () => {
    const { id } = await created({ type: 'MSTeams', name: 'Old' });
    const { body } = await service.call('get', `/internal/webhooks/${id}`, undefined, { service: 'notifier' });
    expect(body).toMatchObject({ data: null });
  });

  it('hides its URL from a key that may not write, and does not take what that key read (K10)', async () => {
    const { id } = await created({ type: 'Discord', name: 'Hidden', url });
    const { body } = await service.call('get', `/v2/integrations/${id}`, undefined, { ...ACCOUNT, mayWrite: false });
    expect(body).toMatchObject({ data: { url: 'https://chat.example.com/*****' } });
    expect(JSON.stringify(body)).not.toContain('secret-path');
    const { data } = body as { data: object };
    expect(await replace(id, data)).toMatchObject({ status: 422, body: { errors: { url: expect.any(String) } } });
    expect(await detail(id)).toMatchObject({ url });
  });

  it.each<object>([{ url: undefined }, { url: '' }, { url: 'discord.com/api' }, { url: 'ftp://chat.example.com/a' }])(
    'is refused with %j, which names the field',
    async (fields) => {
      const given = { type: 'Discord', name: 'Refused', url, ...fields };
      const { status, body } = await service.call('post', '/v2/integrations', given);
      expect({ status, fields: Object.keys((body as { errors: object }).errors) }).toEqual({
        status: 422,
        fields: ['url'],
      });
    },
  );
});

describe('POST …/rotate-key', () => {
  it('shows a new key once, and keeps the one before until the overlap is over (K2)', async () => {
    const { id, apiKey } = await created();
    const { status, body } = await service.call('post', `/v2/integrations/${id}/rotate-key`);
    const { data } = body as { data: Record<string, string> };
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { id, previousKeyValidUntil: '2026-01-01T01:00:00Z' },
    });
    const stored = await service.store.find(id);
    expect(stored).toMatchObject({
      version: { n: 2 },
      key: { hash: hashKey(data['apiKey'] ?? ''), lastFour: data['apiKey']?.slice(-4) },
      retiringKeys: [{ keyHash: hashKey(apiKey), validUntil: new Date('2026-01-01T01:00:00Z') }],
    });
    expect(JSON.stringify(await detail(id))).not.toContain(data['apiKey']);
  });

  it('again gives each replaced key its own time, and forgets those whose time is over', async () => {
    const { id } = await created();
    const rotate = () => service.call('post', `/v2/integrations/${id}/rotate-key`);
    const times = async () =>
      (await service.store.find(id))?.retiringKeys.map(({ validUntil }) => validUntil.toISOString());
    await rotate();
    service.clock.advance(1_800_000);
    await rotate();
    expect(await times()).toEqual(['2026-01-01T01:00:00.000Z', '2026-01-01T01:30:00.000Z']);
    service.clock.advance(1_800_000);
    await rotate();
    expect(await times()).toEqual(['2026-01-01T01:30:00.000Z', '2026-01-01T02:00:00.000Z']);
    for (let more = 0; more < 15; more += 1) await rotate();
    expect(await times()).toHaveLength(10);
  });

  it('answers 404 where there is none, 403 to a team key and to one that may not configure (K8)', async () => {
    const { id } = await created({ ownerTeam: { name: 'Ops' } });
    const status = async (of: string, caller = ACCOUNT) =>
      (await service.call('post', `/v2/integrations/${of}/rotate-key`, undefined, caller)).status;
    expect(await status('none')).toBe(404);
    expect(await status(id, TEAM)).toBe(403);
    expect(await status(id, { ...ACCOUNT, mayConfigure: false })).toBe(403);
  });
});
