import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { hashKey } from '@tocsin/key-auth';
import { ensureDefaultIntegration } from '../application/first-start.ts';
import { DEFAULT_INTEGRATION } from '../domain/integration.ts';
import {
  ACCOUNT,
  ADA,
  countingIds,
  OPS,
  serviceUnderTest,
  TEAM,
  type ServiceUnderTest,
} from '../testing/service-under-test.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MISSING = '11111111-1111-4111-8111-111111111111';

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

async function created({ call }: ServiceUnderTest, fields: object = {}): Promise<Created> {
  const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
  expect(status).toBe(201);
  return (body as { data: Created }).data;
}

async function detail({ call }: ServiceUnderTest, id: string): Promise<Record<string, unknown>> {
  const { status, body } = await call('get', `/v2/integrations/${id}`);
  expect(status).toBe(200);
  return (body as { data: Record<string, unknown> }).data;
}

/** A service that knows the team Ops, the user Ada and the default integration. */
async function furnished(): Promise<ServiceUnderTest> {
  const service = serviceUnderTest();
  service.teams.put(OPS.id, OPS);
  service.users.put(ADA.id, ADA);
  const { store, announcer, clock } = service;
  await ensureDefaultIntegration(
    { store, announcer, clock, newId: countingIds(), notice: () => undefined },
    'b0b0b0b0-0000-4000-8000-000000000000',
  );
  return service;
}

describe('POST /v2/integrations', () => {
  it('answers 201 with the key, which is kept only as hash and last four characters (K2)', async () => {
    const service = serviceUnderTest();
    const { status, body } = await service.call('post', '/v2/integrations', { type: 'prometheus', name: 'Probe' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { code: 201, data: { name: 'Probe', enabled: true, type: 'prometheus' } },
    });
    const { id, apiKey } = (body as { data: Created }).data;
    expect(apiKey).toMatch(UUID);
    const stored = await service.store.find(id);
    expect(stored).toMatchObject({ key: { hash: hashKey(apiKey), lastFour: apiKey.slice(-4) } });
    expect(JSON.stringify(stored)).not.toContain(apiKey);
    expect(JSON.stringify(await detail(service, id))).not.toContain(apiKey);
  });

  it('is told to the other services before it answers (E11)', async () => {
    const service = serviceUnderTest();
    await created(service);
    expect(service.announcer.flushes).toBe(1);
  });

  it('takes every default of the specification', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    expect(await detail(service, id)).toEqual({
      id,
      name: 'Probe',
      type: 'API',
      enabled: true,
      isGlobal: true,
      isAdvanced: false,
      _readOnly: ['isAdvanced', 'isGlobal'],
      allowWriteAccess: true,
      allowConfigurationAccess: false,
      ignoreRecipientsFromPayload: false,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      ignoreTagsFromPayload: false,
      ignoreExtraPropertiesFromPayload: false,
      suppressNotifications: false,
      tags: [],
      extraProperties: {},
      recipients: [],
      responders: [],
      sendAlertActions: false,
      alertActions: [],
      alertFilter: { conditionMatchType: 'match-all', conditions: [] },
    });
  });

  it('gives back what was written, references with id and name (E10, E12)', async () => {
    const service = await furnished();
    const { id } = await created(service, {
      enabled: 'false',
      ownerTeam: { name: 'Ops' },
      allowWriteAccess: false,
      allowConfigurationAccess: 'True',
      ignoreRecipientsFromPayload: true,
      suppressNotifications: true,
      recipients: [
        { type: 'User', username: 'Ada@Example.com', id: '', name: '' },
        { type: 'team', id: 'team-1' },
        { type: 'all' },
      ],
      sendAlertActions: true,
      alertActions: ['create', 'Close'],
      url: '',
      headers: null,
      assignedTeam: null,
    });
    expect(await detail(service, id)).toMatchObject({
      enabled: false,
      ownerTeam: { id: 'team-1', name: 'Ops' },
      isGlobal: false,
      allowWriteAccess: false,
      allowConfigurationAccess: true,
      ignoreRecipientsFromPayload: true,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      suppressNotifications: true,
      recipients: [
        { type: 'user', id: 'user-1', username: 'ada@example.com' },
        { type: 'team', id: 'team-1', name: 'Ops' },
        { type: 'all' },
      ],
      sendAlertActions: true,
      alertActions: ['Create', 'Close'],
    });
  });

  it.each([
    [{ ignoreRespondersFromPayload: true }, [true, true, true]],
    [{ ignoreRecipientsFromPayload: true, ignoreTeamsFromPayload: true }, [true, true, true]],
    [{ ignoreTeamsFromPayload: true }, [false, true, false]],
    [{ ignoreRecipientsFromPayload: true, ignoreRespondersFromPayload: false }, [true, false, false]],
  ])('keeps the ignore flags in step: %j (P2, P11)', async (fields, [recipients, teams, responders]) => {
    const service = serviceUnderTest();
    const { id } = await created(service, fields);
    expect(await detail(service, id)).toMatchObject({
      ignoreRecipientsFromPayload: recipients,
      ignoreTeamsFromPayload: teams,
      ignoreRespondersFromPayload: responders,
    });
  });

  it('reads responders before recipients, and gives back those too that are too many for an alert (P2, E10)', async () => {
    const service = await furnished();
    const responders = Array.from({ length: 60 }, () => ({ type: 'team', id: 'team-1' }));
    const { id } = await created(service, { recipients: [{ type: 'none' }], responders });
    expect((await detail(service, id))['recipients']).toHaveLength(60);
  });

  it('answers with the names that references bear now', async () => {
    const service = await furnished();
    const { id } = await created(service, { ownerTeam: { id: 'team-1' }, responders: [{ type: 'team', name: 'Ops' }] });
    service.teams.put(OPS.id, { ...OPS, name: 'Night watch' });
    expect(await detail(service, id)).toMatchObject({
      ownerTeam: { name: 'Night watch' },
      responders: [{ name: 'Night watch' }],
    });
    service.teams.remove(OPS.id);
    expect(await detail(service, id)).toMatchObject({ ownerTeam: { id: 'team-1', name: 'Ops' } });
  });

  it('takes names with brackets, emoji and 250 characters, and each only once (E14)', async () => {
    const service = serviceUnderTest();
    for (const name of ['[a] (b) {c} `d` 🔔', 'x'.repeat(250), 'Probe', 'PROBE']) await created(service, { name });
    const { status, body } = await service.call('post', '/v2/integrations', { type: 'API', name: 'Probe' });
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { message: 'Integration with name [Probe] already exists.' },
    });
  });

  it.each([
    ['[Ops]', { ownerTeam: { name: 'Ops' } }],
    ['[team-9]', { ownerTeam: { id: 'team-9' } }],
    ['[bob@example.com]', { recipients: [{ type: 'user', username: 'bob@example.com' }] }],
    ['[Nights]', { responders: [{ type: 'schedule', name: 'Nights' }] }],
    ['[All]', { responders: [{ type: 'escalation', name: 'All' }] }],
  ])('answers 404 naming %s, which does not exist, and keeps nothing', async (named, fields) => {
    const { call, store } = serviceUnderTest();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
    expect(status).toBe(404);
    expect((body as { message: string }).message).toContain(named);
    expect(await store.list({})).toEqual([]);
  });

  it('finds a team that was created a moment ago, and answers 503 when its owner cannot be asked', async () => {
    const service = serviceUnderTest();
    service.teams.ownerHas('name', 'Ops', OPS);
    await created(service, { ownerTeam: { name: 'Ops' } });
    service.teams.refuseWith(new UnavailableError('The directory is away.'));
    const body = { type: 'API', name: 'Other', ownerTeam: { name: 'Others' } };
    expect((await service.call('post', '/v2/integrations', body)).status).toBe(503);
  });

  it('takes an empty owner team for none (E12)', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service, { ownerTeam: { id: '', name: '' } });
    expect(await detail(service, id)).toMatchObject({ isGlobal: true });
  });

  it.each([
    [{ name: undefined }, 'name', 'Name can not be empty.'],
    [{ name: ' ' }, 'name', 'Name can not be empty.'],
    [{ name: 'x'.repeat(1_001) }, 'name', 'should be at most 1000 characters'],
    [{ type: undefined }, 'type', 'Type can not be empty.'],
    [{ type: 'Email' }, 'emailUsername', 'Property [emailUsername] cannot be empty.'],
    [{ type: 'email', emailUsername: 'a@b' }, 'emailUsername', 'before the @'],
    [{ type: 'Email', emailUsername: 'x'.repeat(65) }, 'emailUsername', 'should be at most 64 characters'],
    [{ type: 'Webhook' }, 'url', 'Property [url] cannot be empty.'],
    [{ type: 'Webhook', url: 'ftp://example.com' }, 'url', 'should be a URL'],
    [{ url: 'http://' }, 'url', 'should be a URL'],
    [{ headers: { 'a b': 'c' } }, 'headers.a b', 'should be'],
    [{ headers: { a: 'b\r\nc' } }, 'headers.a', 'should have no line breaks'],
    [{ headers: 'x' }, 'headers', 'should be a map of strings'],
    [{ alertFilter: { conditionMatchType: 'Match Some' } }, 'alertFilter.conditionMatchType', 'should be one of'],
    [{ type: 'Telegraph' }, 'type', '[Telegraph] is not a known type'],
    [{ enabled: 'maybe' }, 'enabled', 'should be true or false'],
    [{ allowWriteAccess: 1 }, 'allowWriteAccess', 'should be true or false'],
    [{ allowConfigurationAccess: 'x' }, 'allowConfigurationAccess', 'should be true or false'],
    [{ ignoreRecipientsFromPayload: 'x' }, 'ignoreRecipientsFromPayload', 'should be true or false'],
    [{ ignoreTeamsFromPayload: 'x' }, 'ignoreTeamsFromPayload', 'should be true or false'],
    [{ ignoreRespondersFromPayload: 'x' }, 'ignoreRespondersFromPayload', 'should be true or false'],
    [{ suppressNotifications: 'x' }, 'suppressNotifications', 'should be true or false'],
    [{ sendAlertActions: 'x' }, 'sendAlertActions', 'should be true or false'],
    [{ ownerTeam: 'Ops' }, 'ownerTeam', 'should be an object with id or name'],
    [{ recipients: 'Ops' }, 'recipients', 'should be a list'],
    [{ recipients: [{ type: 'bb', id: 'x' }] }, 'recipients[0].type', 'should be one of'],
    [{ responders: [{ type: 'team' }] }, 'responders[0]', 'id or name should be provided'],
    [{ alertActions: ['Explode'] }, 'alertActions[0]', 'should be one of'],
  ])('refuses %j naming %s, and keeps nothing', async (fields, key, said) => {
    const { call, store } = serviceUnderTest();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
    expect(status).toBe(422);
    expect((body as { errors: Record<string, string> }).errors[key]).toContain(said);
    expect(await store.list({})).toEqual([]);
  });

  it('takes the types of EXTRA_INTEGRATION_TYPES (P12)', async () => {
    expect(await created(serviceUnderTest(), { type: 'homegrown' })).toMatchObject({ type: 'homegrown' });
  });

  it.each([
    ['a team', TEAM],
    ['reading', { ...ACCOUNT, mayWrite: false }],
    ['alerts', { ...ACCOUNT, mayConfigure: false }],
  ])('answers 403 to a key of %s (K3, K8)', async (_, principal) => {
    const { call } = serviceUnderTest();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe' }, principal);
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 40301 } });
  });
});

describe('GET /v2/integrations', () => {
  async function names({ call }: ServiceUnderTest, query = '', principal = ACCOUNT): Promise<unknown> {
    const { status, body } = await call('get', `/v2/integrations${query}`, undefined, principal);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 200 } });
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  }

  async function stocked(): Promise<ServiceUnderTest> {
    const service = await furnished();
    service.clock.advance(1_000);
    await created(service, { name: 'Grafana', type: 'Grafana', ownerTeam: { name: 'Ops' } });
    service.clock.advance(1_000);
    await created(service, { name: 'Alone' });
    return service;
  }

  it.each([
    ['', ['Default API', 'Grafana', 'Alone']],
    ['?type=api', ['Default API', 'Alone']],
    ['?type=Email', []],
    ['?type=', ['Default API', 'Grafana', 'Alone']],
    ['?teamId=team-1', ['Grafana']],
    ['?teamName=Ops', ['Grafana']],
    ['?teamName=Ops&teamId=team-1&type=GRAFANA', ['Grafana']],
    ['?teamName=Ops&teamId=team-2', []],
    ['?teamName=Others', []],
    ['?teamId=team-2', []],
  ])('%s lists %j, in the order of creation', async (query, expected) => {
    expect(await names(await stocked(), query)).toEqual(expected);
  });

  it('says of each its id, name, type, whether it is enabled, and its team', async () => {
    const service = await stocked();
    const { body } = await service.call('get', '/v2/integrations?type=Grafana');
    expect((body as { data: unknown }).data).toEqual([
      { id: expect.stringMatching(UUID), name: 'Grafana', type: 'Grafana', enabled: true, teamId: 'team-1' },
    ]);
  });

  it('shows a team key those of its team, and refuses it the team filters (K4)', async () => {
    const service = await stocked();
    expect(await names(service, '', TEAM)).toEqual(['Grafana']);
    expect(await names(service, '?type=API', TEAM)).toEqual([]);
    for (const filter of ['teamId=team-1', 'teamName=Ops'])
      expect((await service.call('get', `/v2/integrations?${filter}`, undefined, TEAM)).status).toBe(403);
  });

  it('answers 422 for a type that there is not', async () => {
    const { call } = serviceUnderTest();
    expect(await call('get', '/v2/integrations?type=Telegraph')).toMatchObject({
      status: 422,
      body: { errors: { type: 'is not a known type' } },
    });
  });
});

describe.each([
  ['get', ''],
  ['delete', ''],
  ['post', '/enable'],
  ['put', '/enable'],
  ['patch', '/enable'],
  ['post', '/disable'],
  ['put', '/disable'],
  ['patch', '/disable'],
] as const)('%s /v2/integrations/{integrationId}%s', (method, suffix) => {
  it('answers 404 where there is none, whatever the form of the id', async () => {
    const { call } = serviceUnderTest();
    for (const id of [MISSING, 'x', '%20'])
      expect((await call(method, `/v2/integrations/${id}${suffix}`)).status).toBe(404);
  });

  it('answers 403 to a team key for one of another team or of none, 200 for one of its own (K8)', async () => {
    const service = await furnished();
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Others' });
    const others = await created(service, { name: 'others', ownerTeam: { id: 'team-2' } });
    const nobodys = await created(service, { name: 'nobodys' });
    const own = await created(service, { name: 'own', ownerTeam: { id: 'team-1' } });
    const status = async (id: string) =>
      (await service.call(method, `/v2/integrations/${id}${suffix}`, undefined, TEAM)).status;
    expect(await status(others.id)).toBe(403);
    expect(await status(nobodys.id)).toBe(403);
    expect(await status(own.id)).toBe(200);
  });

  it('answers 403 without the right to configure', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    const alertsOnly = { ...ACCOUNT, mayConfigure: false };
    expect((await service.call(method, `/v2/integrations/${id}${suffix}`, undefined, alertsOnly)).status).toBe(403);
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s …/disable and …/enable', (method) => {
  it('switch it off and on, and say what it is then', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    const off = await service.call(method, `/v2/integrations/${id}/disable`, { Id: id });
    expect(off.body).toMatchObject({ code: 200, data: { id, name: 'Probe', type: 'API', enabled: false } });
    expect(await service.store.find(id)).toMatchObject({ enabled: false, version: { n: 2 } });
    const on = await service.call(method, `/v2/integrations/${id}/enable`);
    expect(on.body).toMatchObject({ code: 200, data: { id, name: 'Probe', type: 'API', enabled: true } });
    expect(await service.store.find(id)).toMatchObject({ enabled: true, version: { n: 3 } });
  });
});

describe('disabling', () => {
  it('answers only when every service was told, else 503, and again the same (K2)', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    service.announcer.refuseWith(new UnavailableError('Kafka is away.'));
    expect((await service.call('post', `/v2/integrations/${id}/disable`)).status).toBe(503);
    service.announcer.refuseWith(undefined);
    expect((await service.call('post', `/v2/integrations/${id}/disable`)).status).toBe(200);
    expect(service.announcer.insisted).toEqual([id]);
  });
});

describe('deleting', () => {
  it('removes it, its key first, and frees its name', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    const { status, body } = await service.call('delete', `/v2/integrations/${id}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 200, result: 'Deleted successful' } });
    expect(service.announcer.insisted).toEqual([id]);
    expect((await service.call('get', `/v2/integrations/${id}`)).status).toBe(404);
    await created(service);
  });

  it('answers 503 and keeps it while the other services cannot be told that the key is dead', async () => {
    const service = serviceUnderTest();
    const { id } = await created(service);
    service.announcer.refuseWith(new UnavailableError('Kafka is away.'));
    expect((await service.call('delete', `/v2/integrations/${id}`)).status).toBe(503);
    expect(await service.store.find(id)).toMatchObject({ id });
  });
});

describe('the default integration', () => {
  it.each([
    ['delete', ''],
    ['post', '/disable'],
    ['put', '/disable'],
  ] as const)('is kept from %s%s (K7)', async (method, suffix) => {
    const service = await furnished();
    const { status } = await service.call(method, `/v2/integrations/${DEFAULT_INTEGRATION.id}${suffix}`);
    expect(status).toBe(422);
    expect(await service.store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ enabled: true });
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s /v2/integrations/authenticate', (method) => {
  it('says whether the key is of that type, to any key (K3)', async () => {
    const { call } = serviceUnderTest();
    const weak = { ...TEAM, mayWrite: false, mayConfigure: false };
    const { status, body } = await call(method, '/v2/integrations/authenticate', { type: 'api' }, weak);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { code: 200, result: 'Integration of type [api] is valid.' },
    });
  });

  it.each([{}, { type: '' }, { type: 'Grafana' }])('answers 422 naming type: %j', async (body) => {
    const { call } = serviceUnderTest();
    const refused = await call(method, '/v2/integrations/authenticate', body);
    expect(refused).toMatchObject({ status: 422, body: { errors: { type: expect.any(String) } } });
  });
});
