import { AlertCommands } from '@tocsin/events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT, ADA, OPS, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

let service: TestService;
let path: string;
let principal: typeof ACCOUNT;

beforeEach(async () => {
  service = await openService();
  service.teams.put(OPS.id, OPS);
  service.users.put(ADA.id, ADA);
  const { body } = await service.call('post', '/v2/integrations', { type: 'API', name: 'Probe' });
  const { id } = (body as { data: { id: string } }).data;
  path = `/v2/integrations/${id}/actions`;
  principal = { ...ACCOUNT, integrationId: id, integrationName: 'Probe' };
});

type Groups = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const dataOf = ({ body }: { body: unknown }) => (body as { data: Groups }).data;
const listed = async () => dataOf(await service.call('get', path));
const add = (body: object) => service.call('post', path, { type: 'close', name: 'A', alias: '{{alias}}', ...body });
const put = (body: object, caller = ACCOUNT) => service.call('put', path, body, caller);

const TOO_LONG = /takes too long/;

describe('GET …/actions', () => {
  it('lists the default action of a new integration, its empty groups and its parent (P1)', async () => {
    const data = await listed();
    expect(data).toMatchObject({ _parent: { name: 'Probe', type: 'API', enabled: true } });
    for (const group of ['ignore', 'close', 'acknowledge', 'addNote']) expect(data[group]).toEqual([]);
    expect(data['create']).toEqual([
      {
        type: 'create',
        name: 'Create Alert',
        order: 0,
        alias: '{{alias}}',
        user: '{{user}}',
        note: '{{note}}',
        filter: { conditionMatchType: 'match-all', conditions: [] },
        source: '{{source}}',
        message: '{{message}}',
        description: '{{description}}',
        entity: '{{entity}}',
        appendAttachments: true,
        alertActions: [],
        tags: [],
        recipients: [],
        responders: [],
        extraProperties: {},
        ignoreAlertActionsFromPayload: false,
        ignoreRecipientsFromPayload: false,
        ignoreTeamsFromPayload: false,
        ignoreRespondersFromPayload: false,
        ignoreTagsFromPayload: false,
        ignoreExtraPropertiesFromPayload: false,
      },
    ]);
  });
});

describe('the recipients of an action', () => {
  it('are shown with the names that they bear now (E10)', async () => {
    await add({ type: 'create', responders: [{ type: 'team', name: 'Ops' }] });
    service.teams.put(OPS.id, { ...OPS, name: 'Night watch' });
    expect((await listed())['create']?.[0]).toMatchObject({ recipients: [{ id: OPS.id, name: 'Night watch' }] });
  });
});

describe('POST …/actions', () => {
  it('answers 201 with all groups, the new action before the default one, and makes the integration advanced', async () => {
    const { status, body } = await add({ type: 'create', order: 7 });
    expect(status).toBe(201);
    expect(dataOf({ body })['create']?.map(({ name }) => name)).toEqual(['A', 'Create Alert']);
    expect(dataOf(await add({ type: 'create', name: 'B' }))['create']).toMatchObject([
      { name: 'A', order: 7 },
      { name: 'B', order: 8 },
      { name: 'Create Alert' },
    ]);
    const detail = await service.call('get', path.replace('/actions', ''));
    expect(detail.body).toMatchObject({ data: { isAdvanced: true } });
  });

  it('gives back what was written, in its spelling (P2, E10)', async () => {
    const filter = {
      conditionMatchType: 'Match Any Condition',
      conditions: [
        { field: 'extra_properties_key_prefix-TEST_KEY', isNot: true, operation: 'Starts With', expectedValue: 'x' },
        { field: 'from_address', isNot: false, operation: 'contains', expectedValue: 'y' },
      ],
    };
    const written = {
      type: 'create',
      name: 'Whole',
      alias: 'a-{{alias}}',
      order: 3,
      user: 'u',
      note: 'n',
      filter,
      source: 's',
      message: 'm',
      description: 'd',
      entity: 'e',
      priority: 'P1',
      customPriority: '{{tags}}',
      appendAttachments: false,
      alertActions: ['x'],
      tags: ['t'],
      extraProperties: { k: '{{details.k}}' },
      ignoreAlertActionsFromPayload: true,
      ignoreTagsFromPayload: true,
      ignoreExtraPropertiesFromPayload: true,
      ignoreRecipientsFromPayload: true,
      ignoreTeamsFromPayload: true,
      ignoreRespondersFromPayload: true,
    };
    const recipients = [{ type: 'team', name: 'Ops' }, { type: 'user', username: ADA.username }, { type: 'all' }];
    await add({ ...written, responders: recipients });
    const full = [
      { type: 'team', id: OPS.id, name: 'Ops' },
      { type: 'user', id: ADA.id, username: ADA.username },
    ];
    expect((await listed())['create']?.[0]).toEqual({
      ...written,
      responders: [...full, { type: 'all' }],
      recipients: [...full, { type: 'all' }],
    });
  });

  it.each([
    [{ alias: '' }, 'alias', 'Alias can not be empty.'],
    [{ name: ' ' }, 'name', 'Name can not be empty.'],
    [{ type: 'explode' }, 'type', 'should be one of'],
    [{ order: -1 }, 'order', 'should be at least 0'],
    [{ alias: 'x'.repeat(513) }, 'alias', 'should be at most 512 characters'],
    [{ tags: Array.from({ length: 21 }, () => 't') }, 'tags', 'should have at most 20 items'],
    [{ alertActions: Array.from({ length: 11 }, () => 't') }, 'alertActions', 'should have at most 10 items'],
    [{ extraProperties: { ['__proto__']: 'x' } }, 'extraProperties', 'should have no name that is __proto__'],
    [{ priority: 'P6' }, 'priority', 'should be one of'],
    [{ ignoreTagsFromPayload: 'x' }, 'ignoreTagsFromPayload', 'should be true or false'],
    [{ filter: { type: 'Match Some' } }, 'filter.type', 'should be one of'],
    [
      {
        filter: {
          type: 'match-all-conditions',
          conditions: [{ field: 'colour', operation: 'equals', expectedValue: 'red' }],
        },
      },
      'filter.conditions[0].field',
      'from-address',
    ],
    [{ recipients: [{ type: 'team', title: 'Ops' }] }, 'recipients[0]', 'id or name should be provided'],
  ])('refuses %j naming %s, and changes nothing', async (fields, key, said) => {
    const before = await listed();
    const { status, body } = await add(fields);
    expect(status).toBe(422);
    expect((body as { errors: Record<string, string> }).errors[key]).toContain(said);
    expect(await listed()).toEqual(before);
  });

  it('takes conditions on fields of the requests of tools, but of an integration of the type API those on the payload alone', async () => {
    const filter = (...fields: readonly string[]) => ({
      type: 'match-all-conditions',
      conditions: fields.map((field) => ({ field, operation: 'is-empty' })),
    });
    const readable = filter('message', '_payload.check["host.name"]');
    const others = filter('message', 'severity', '_headers.x-a', '_state');
    expect((await add({ filter: readable })).status).toBe(201);
    const before = await listed();
    expect(await add({ filter: others })).toMatchObject({
      status: 422,
      body: { errors: { 'filter.conditions[1].field': expect.stringContaining('_payload') } },
    });
    const groups = { create: [{ name: 'A' }, { name: 'B', filter: others }] };
    expect(await put(groups)).toMatchObject({
      status: 422,
      body: { errors: { 'create[1].filter.conditions[1].field': expect.stringContaining('_payload') } },
    });
    expect(await listed()).toEqual(before);
    const { body } = await service.call('post', '/v2/integrations', { type: 'Prometheus', name: 'Tool' });
    path = `/v2/integrations/${(body as { data: { id: string } }).data.id}/actions`;
    expect((await put(groups)).status).toBe(200);
    expect((await listed())['create']?.[1]).toMatchObject({ filter: { conditions: others.conditions } });
  });

  it('answers 404 for no integration and an unknown recipient, 403 to a team key, which may read its own (K8)', async () => {
    const action = { type: 'close', name: 'A', alias: 'x' };
    expect((await service.call('post', '/v2/integrations/none/actions', action)).status).toBe(404);
    expect((await service.call('get', '/v2/integrations/none/actions')).status).toBe(404);
    expect((await add({ recipients: [{ type: 'team', name: 'Missing' }] })).status).toBe(404);
    await service.call('put', path.replace('/actions', ''), { type: 'API', name: 'P', ownerTeam: { name: 'Ops' } });
    expect((await service.call('post', path, action, TEAM)).status).toBe(403);
    expect((await put({}, TEAM)).status).toBe(403);
    expect((await service.call('get', path, undefined, TEAM)).status).toBe(200);
  });

  it('takes 100 actions of a group and not one more', async () => {
    const close = Array.from({ length: 100 }, (_, n) => ({ name: `A${n}` }));
    expect((await put({ close })).status).toBe(200);
    expect((await add({})).status).toBe(422);
    expect((await put({ close: [...close, { name: 'x' }] })).status).toBe(422);
    const large = Array.from({ length: 80 }, () => ({ name: 'x', description: 'd'.repeat(13_000) }));
    expect((await put({ create: large })).status).toBe(422);
  });

  it('bounds what the patterns of all actions come to together (P3)', async () => {
    const filter = (...patterns: readonly string[]) => ({
      conditionMatchType: 'match-any-condition',
      conditions: patterns.map((expectedValue) => ({ field: 'description', operation: 'matches', expectedValue })),
    });
    const plain = filter('.*disk.*', '.*cpu.*');
    const actions = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `I${n}`, filter: plain }));
    expect((await put({ ignore: actions(18), close: actions(11) })).status).toBe(200);
    expect((await add({ filter: { type: 'match-all' } })).status).toBe(201);
    const refused = await add({ filter: plain });
    expect(refused).toMatchObject({ status: 422, body: { errors: { filter: expect.stringMatching(TOO_LONG) } } });
    const tooMany = await put({ ignore: actions(20), close: [...actions(9), { name: 'C', filter: plain }] });
    expect(tooMany).toMatchObject({
      status: 422,
      body: { errors: { 'close[9].filter.conditions[1].expectedValue': expect.stringMatching(TOO_LONG) } },
    });
    const hostile = Array.from({ length: 10 }, () => '.*a[ab]{0,990}[cd]');
    expect(await add({ filter: filter('.*disk.*', ...hostile) })).toMatchObject({
      status: 422,
      body: { errors: { 'filter.conditions[1].expectedValue': expect.stringMatching(TOO_LONG) } },
    });
  });

  it('takes a priority extracted by a pattern, and refuses what is no pattern or too much of one (P4)', async () => {
    const customPriority = '{{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}}';
    const accepted = await add({ type: 'create', name: 'From Terraform', customPriority });
    expect(accepted.status).toBe(201);
    const { create } = await listed();
    expect(create?.[0]).toMatchObject({ name: 'From Terraform', customPriority });
    for (const [pattern, problem] of [
      ['(', /valid regular expression/],
      ['a', /should have a group 1 to extract/],
      ['.*(a)[ab]{0,990}[cd]', TOO_LONG],
    ] as const)
      expect(await add({ type: 'create', tags: ['fine', `{{description.extract(/${pattern}/)}}`] })).toMatchObject({
        status: 422,
        body: { errors: { 'tags[1]': expect.stringMatching(problem) } },
      });
  });
});

describe('PUT …/actions', () => {
  it('replaces all groups, in the order of `order`; an absent alias is that of the payload (P2)', async () => {
    const close = [
      { name: 'B', order: 2, type: 'close' },
      { name: 'A', order: 1, alias: '' },
    ];
    const { status, body } = await put({ close, ignore: [{ name: 'I' }] });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        data: { create: [], ignore: [{ type: 'ignore' }], close: [{ name: 'A', alias: '{{alias}}' }, { name: 'B' }] },
      },
    });
    expect((await put({ close: [{ name: 'A', type: 'create' }] })).status).toBe(422);
  });

  it('changes nothing when it is given what GET answers, and restores the default when all are empty', async () => {
    const initial = await listed();
    await add({ type: 'create', filter: { type: 'match-all' } });
    const before = await listed();
    expect((await put(before)).status).toBe(200);
    expect(await listed()).toEqual(before);
    await put({ create: [], close: [] });
    expect(await listed()).toEqual(initial);
    expect((await service.call('get', path.replace('/actions', ''))).body).toMatchObject({
      data: { isAdvanced: false },
    });
  });
});

describe('a create by the key of an integration with actions', () => {
  const send = (body: object) => service.call('post', '/v2/alerts', { message: 'CPU high', ...body }, principal);
  const last = () => service.publisher.published.findLast(({ topic }) => topic === AlertCommands.name)?.message;
  const filter = {
    type: 'match-all-conditions',
    conditions: [{ field: 'message', operation: 'contains', expectedValue: 'ok' }],
  };

  it('is governed by a write of actions at once, and a dropped one says by what (A8, E13)', async () => {
    expect((await send({})).status).toBe(202);
    expect(last()).toMatchObject({ kind: 'create', identifier: { type: 'id' }, alert: { message: 'CPU high' } });
    await put({
      ignore: [{ name: 'Quiet', filter }],
      create: [{ name: 'C', alias: 'fixed', user: '{{_payload.by.name}}' }],
    });
    await send({ message: 'ok' });
    expect(last()).toMatchObject({ kind: 'create', dropped: 'Ignored by action [Quiet] of integration [Probe].' });
    await send({ alias: 'mine', by: { name: 'robot' } });
    expect(last()).toMatchObject({
      kind: 'create',
      identifier: { type: 'alias', value: 'fixed' },
      actor: 'robot',
      source: '192.0.2.7',
      alert: { alias: 'fixed' },
    });
    expect(last()).not.toHaveProperty('note');
  });

  it('becomes another order where the action is one', async () => {
    await put({ close: [{ name: 'Recovered', filter, note: 'by {{source}}' }], addNote: [{ name: 'Rest' }] });
    await send({ message: 'ok', alias: 'cpu' });
    expect(last()).toMatchObject({
      kind: 'close',
      identifier: { type: 'alias', value: 'cpu' },
      note: 'by 192.0.2.7',
      actor: 'Alert API',
    });
    await send({ alias: 'cpu' });
    expect(last()).toMatchObject({ kind: 'add-note', note: 'CPU high' });
  });

  it('meets conditions on any part of its body', async () => {
    const conditions = [{ field: '_payload.checks[0]["host.name"]', operation: 'equals', expectedValue: 'db-1' }];
    await put({ ignore: [{ name: 'Quiet', filter: { type: 'match-all-conditions', conditions } }] });
    await send({ checks: [{ 'host.name': 'db-1' }] });
    expect(last()).toMatchObject({ dropped: 'Ignored by action [Quiet] of integration [Probe].' });
    await send({ checks: [{ 'host.name': 'db-2' }] });
    expect(last()).toMatchObject({ dropped: 'No action of integration [Probe] matches.' });
  });

  it('adds the recipients of the integration (P11)', async () => {
    const body = { type: 'API', name: 'Probe', recipients: [{ type: 'all' }] };
    await service.call('put', path.replace('/actions', ''), body);
    await send({});
    expect(last()).toMatchObject({ alert: { responders: [{ type: 'user', id: ADA.id }] } });
  });
});
