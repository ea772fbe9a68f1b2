import { beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT, ADA, OPS, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

let service: TestService;
let path: string;

beforeEach(async () => {
  service = await openService();
  service.teams.put(OPS.id, OPS);
  service.users.put(ADA.id, ADA);
  path = await integrationOf('Prometheus', 'Tool');
});

async function integrationOf(type: string, name: string, more: object = {}): Promise<string> {
  const { body } = await service.call('post', '/v2/integrations', { type, name, ...more });
  return `/v2/integrations/${(body as { data: { id: string } }).data.id}`;
}

const alert = (status: string, labels: object = {}) => ({
  status,
  fingerprint: 'f1',
  labels: { alertname: 'DiskFull', severity: 'critical', ...labels },
  annotations: { summary: 'Disk full' },
});
const attempt = (body: object) => service.call('post', `${path}/try`, body);
const tried = async (body: object) => (await attempt(body)).body['data'] as Record<string, unknown>;

describe('POST /v2/integrations/{id}/try', () => {
  it('says of each item what it would come to by the preset, why other actions do not match, and writes nothing', async () => {
    const alias = `alertmanager:${path.slice(-36, -28)}:f1`;
    expect(await tried({ payload: { version: '4', alerts: [alert('firing'), alert('resolved')] } })).toMatchObject({
      preset: 'alertmanager',
      itemCount: 2,
      items: [
        {
          fields: { state: 'firing', key: 'f1', summary: 'Disk full', severity: 'critical' },
          state: 'open',
          priority: 'P1',
          effect: 'create',
          alias,
          action: { type: 'create', name: 'Open' },
          unmatched: [{ type: 'ignore', name: 'Ignore', reason: '_state equals [ignore], but it is [open]' }],
          alert: { message: 'Disk full', priority: 'P1', details: { alertname: 'DiskFull' } },
        },
        { state: 'close', effect: 'close', alias, action: { type: 'close', name: 'Close' } },
      ],
    });
    expect(service.publisher.published).toEqual([]);
  });

  it('tries a draft of actions, which is not written, else those of the integration', async () => {
    const filter = {
      type: 'match-all-conditions',
      conditions: [{ field: '_item.labels["a.b"]', operation: 'equals', expectedValue: 'x' }],
    };
    const draft = {
      create: [{ name: 'Mine', filter, message: '{{summary}}!', responders: [{ type: 'team', name: 'Ops' }] }],
    };
    const payload = { alerts: [alert('firing', { 'a.b': 'x' }), alert('firing')] };
    const expected = {
      items: [
        {
          action: { name: 'Mine' },
          alert: { message: 'Disk full!', responders: [{ type: 'team', id: OPS.id }] },
        },
        { effect: 'none', reason: 'No action of integration [Tool] matches.', unmatched: [{ name: 'Mine' }] },
      ],
    };
    expect(await tried({ payload, actions: draft })).toMatchObject(expected);
    expect((await tried({ payload }))['items']).toMatchObject([{ action: { name: 'Open' } }, { effect: 'create' }]);
    await service.call('put', `${path}/actions`, draft);
    expect(await tried({ payload })).toMatchObject(expected);
  });

  it('says what an action ignores', async () => {
    const ignore = [{ name: 'Quiet' }];
    expect(await tried({ payload: alert('firing'), actions: { ignore } })).toMatchObject({
      items: [{ effect: 'none', action: { type: 'ignore', name: 'Quiet' }, alias: '' }],
    });
  });

  it('reads the headers that reach a preset, and no key', async () => {
    const actions = {
      create: [
        {
          name: 'A',
          message:
            '{{_headers.User-Agent}}{{_headers.authorization}}|{{_query.q}}{{_query.apiKey}}|{{_payload.apiKey}}',
        },
      ],
    };
    const headers = { 'User-Agent': 'Tool/1', Authorization: 'GenieKey secret', Cookie: 'secret' };
    const query = { q: 'w', apiKey: 'secret' };
    expect(await tried({ raw: '{"apiKey":"secret"}', headers, query, actions })).toMatchObject({
      items: [{ alert: { message: 'Tool/1|w|' } }],
    });
  });

  it('asks alert-processor what the commands of the items would come to, as the integration would send them', async () => {
    const openAlert = { id: 'a1', tinyId: '7', status: 'open', acknowledged: false, priority: 'P3' } as const;
    service = await openService({
      triedCommands: ({ commands }) =>
        commands
          .slice(0, 2)
          .map(({ requestId, kind }) =>
            kind === 'create'
              ? { requestId, outcome: 'raised', status: 'Created alert', alert: openAlert }
              : { requestId, outcome: 'nothing-to-close', status: 'Nothing to close' },
          ),
    });
    path = await integrationOf('Prometheus', 'Tool');
    const id = path.slice(-36);
    const alias = `alertmanager:${id.slice(0, 8)}:f1`;
    const payload = { version: '4', alerts: [alert('firing'), alert('resolved'), alert('firing')] };
    const headers = { 'Idempotency-Key': 'm1' };
    const { items } = await tried({ payload, headers });
    expect(items).toMatchObject([
      { effect: 'create', outcome: 'raised', openAlert, requestStatus: 'Created alert' },
      { effect: 'close', outcome: 'nothing-to-close', requestStatus: 'Nothing to close' },
      { effect: 'create' },
    ]);
    expect((items as object[])[2]).not.toHaveProperty('outcome');
    const common = { integration: { id, name: 'Tool', type: 'Prometheus' }, hook: { preset: 'alertmanager' } };
    const [trial] = service.trials;
    expect(trial).toMatchObject({
      holder: ACCOUNT.integrationId,
      commands: [
        { kind: 'create', identifier: { type: 'alias', value: alias }, ...common },
        { kind: 'close', identifier: { type: 'alias', value: alias }, ...common },
        { kind: 'create' },
      ],
    });
    expect(trial).not.toHaveProperty('teamId');
    // A message that came before is tried as if it were new.
    expect(trial?.commands.map(({ mail }) => mail)).toEqual([undefined, undefined, undefined]);
    expect(service.publisher.published).toEqual([]);
  });

  it('asks for the alerts that the team of the caller may see, with a key of the team (K4)', async () => {
    path = await integrationOf('Grafana', 'Of the team', { ownerTeam: { name: 'Ops' } });
    await service.call('post', `${path}/try`, { payload: { message: 'x', key: 'k' } }, TEAM);
    expect(service.trials).toMatchObject([
      { teamId: OPS.id, commands: [{ integration: { ownerTeamId: OPS.id, name: 'Of the team' } }] },
    ]);
  });

  it('shows the first ten items, and how many there are', async () => {
    const { items, itemCount } = await tried({
      payload: { alerts: Array.from({ length: 12 }, () => alert('firing')) },
    });
    expect([itemCount, (items as unknown[]).length]).toEqual([12, 10]);
  });

  it.each([
    [{}, 'payload'],
    [{ raw: '{' }, 'raw'],
    [{ payload: {}, raw: '{}' }, 'payload'],
    [{ payload: {}, preset: 'no-such' }, 'preset'],
    [{ payload: {}, actions: { close: [{ name: ' ' }] } }, 'actions.close[0].name'],
  ])('refuses %j, naming %s', async (body, field) => {
    const { status, body: refusal } = await attempt(body);
    expect(status).toBe(422);
    expect(refusal['errors']).toHaveProperty([field]);
  });

  it('refuses a draft with fields of tools for an integration of the type API, and names the field', async () => {
    path = await integrationOf('API', 'Plain');
    const filter = { type: 'match-all-conditions', conditions: [{ field: 'severity', operation: 'is-empty' }] };
    expect(await attempt({ payload: {}, actions: { close: [{ name: 'A', filter }] } })).toMatchObject({
      status: 422,
      body: { errors: { 'actions.close[0].filter.conditions[0].field': expect.stringContaining('_payload') } },
    });
  });

  it('is for keys that may read the integration: those of a team for its own alone', async () => {
    expect((await service.call('post', `${path}/try`, { payload: {} }, TEAM)).status).toBe(403);
    path = await integrationOf('Grafana', 'Of the team', { ownerTeam: { name: 'Ops' } });
    expect((await service.call('post', `${path}/try`, { payload: {} }, TEAM)).status).toBe(200);
    expect((await service.call('post', '/v2/integrations/none/try', { payload: {} })).status).toBe(404);
  });
});

describe('GET /v2/integrations/presets', () => {
  it('lists the presets of Tocsin, each with its types and its fields', async () => {
    const { body } = await service.call('get', '/v2/integrations/presets');
    expect(body['data']).toContainEqual(
      expect.objectContaining({
        name: 'alertmanager',
        types: expect.arrayContaining(['Prometheus']),
        fields: expect.arrayContaining(['key', 'summary']),
      }),
    );
  });

  it('lists with each preset its samples, which can be tried as they are', async () => {
    const { body } = await service.call('get', '/v2/integrations/presets');
    const presets = body['data'] as readonly { name: string; samples: readonly Record<string, unknown>[] }[];
    const samples = presets.find(({ name }) => name === 'alertmanager')?.samples ?? [];
    expect(samples.map(({ name }) => name)).toEqual(['close', 'open']);
    const [{ about: _, name: __, ...closing } = {}] = samples;
    const items = (await tried(closing))['items'] as readonly { effect: string }[];
    expect(new Set(items.map(({ effect }) => effect))).toEqual(new Set(['close']));
  });
});

describe('GET …/actions?effective=true', () => {
  it('has the actions for requests of tools until a user writes others', async () => {
    const names = async (query: string) => {
      const { body } = await service.call('get', `${path}/actions${query}`);
      const groups = body['data'] as Record<string, readonly { name: string }[]>;
      return ['ignore', 'create', 'close', 'acknowledge'].map((group) => groups[group]?.map(({ name }) => name).join());
    };
    expect(await names('?effective=true')).toEqual(['Ignore', 'Open', 'Close', 'Acknowledge']);
    expect(await names('')).toEqual(['', 'Create Alert', '', '']);
    await service.call('put', `${path}/actions`, { close: [{ name: 'Mine' }] });
    expect(await names('?effective=true')).toEqual(['', '', 'Mine', '']);
  });
});
