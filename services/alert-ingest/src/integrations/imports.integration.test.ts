import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { ScheduleState } from '@tocsin/events';
import { hashKey, webhookSecretOf } from '@tocsin/http';
import { OPS, type TestService } from '../testing/app-fixture.ts';
import { created, detail, openFurnishedService } from '../testing/integrations-fixture.ts';
import { type Integration, stateMessage } from './integration.ts';

const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER_ID = '5f8fad5b-d9cb-169f-a165-70867728950e';
const KEY = '7B1F0A52-6d2b-4e0f-9d3f-2f6f3c1f5a22';

let service: TestService;

beforeEach(async () => {
  service = await openFurnishedService();
});

const put = (body: object, id = ID) => service.call('put', `/v2/imports/integrations/${id}`, body);
const putKey = (body: object, id = ID) => service.call('put', `/v2/imports/keys/${id}`, body);
const resultOf = async (request: ReturnType<typeof put>) => (await request).body['result'];

async function stored(id = ID): Promise<Integration> {
  const found = await service.store.find(id);
  if (found === undefined) throw new Error(`there is no integration ${id}`);
  return found;
}

const probe = { type: 'API', name: 'Probe' };
const action = (name: string) => ({
  name,
  alias: '{{alias}}',
  filter: {
    conditionMatchType: 'match-all-conditions',
    conditions: [{ field: 'message', not: false, operation: 'contains', expectedValue: 'down' }],
  },
});

const full = {
  type: 'Prometheus',
  name: 'Prometheus of the databases',
  enabled: false,
  ownerTeam: { id: OPS.id },
  assignedTeam: { id: OPS.id },
  allowWriteAccess: false,
  suppressNotifications: true,
  ignoreTeamsFromPayload: true,
  priority: 'P2',
  customPriority: '{{details.p}}',
  tags: ['a', '{{entity}}'],
  extraProperties: { host: '{{source}}' },
  recipients: [{ type: 'team', id: OPS.id }, { type: 'all' }],
  sendAlertActions: true,
  alertActions: ['Create', 'Close'],
  alertFilter: action('').filter,
  actions: {
    ignore: [action('Ignore')],
    create: [{ ...action('Make'), responders: [{ type: 'team', id: OPS.id }], tags: ['made'] }],
    close: [action('End')],
  },
};

describe('PUT /v2/imports/integrations/{identifier}', () => {
  it('creates an integration under its id as a create does, and shows no key', async () => {
    const answer = await put(probe);
    expect(answer).toMatchObject({ status: 200, body: { result: 'Created', data: { id: ID } } });
    expect(answer.body['data']).toEqual({ id: ID });
    const made = await created(service, { name: 'Made' });
    expect(await detail(service, ID)).toEqual({ ...(await detail(service, made.id)), id: ID, name: 'Probe' });
    expect((await stored()).key).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('of the same body again writes nothing, also when a team has got another name', async () => {
    expect(await resultOf(put(full))).toBe('Created');
    const before = await stored();
    expect(await resultOf(put(full))).toBe('Unchanged');
    service.teams.put(OPS.id, { ...OPS, name: 'Operations' });
    expect(await resultOf(put(full))).toBe('Unchanged');
    expect(await stored()).toEqual(before);
  });

  it('replaces an integration and its actions, and keeps its keys and its topic', async () => {
    await put(full);
    await service.store.update(ID, (current) => ({ ...current, snsTopic: 'arn:topic' }));
    const { key } = await stored();
    expect(await resultOf(put({ type: 'prometheus', name: 'Plain' }))).toBe('Updated');
    expect(await stored()).toMatchObject({ name: 'Plain', key, snsTopic: 'arn:topic', version: { n: 2 } });
    const plain = await detail(service, ID);
    expect(plain).toMatchObject({ isAdvanced: false, isGlobal: true, enabled: true, recipients: [] });
    expect(await resultOf(put(full))).toBe('Updated');
    const { body } = await service.call('get', `/v2/integrations/${ID}/actions`);
    expect(body['data']).toMatchObject({
      ignore: [{ name: 'Ignore' }],
      create: [{ name: 'Make', recipients: [{ type: 'team', id: OPS.id, name: OPS.name }] }],
      close: [{ name: 'End' }],
    });
  });

  it.each([
    [{ type: 'Email', name: 'Mail', emailUsername: 'ops' }],
    [{ type: 'Webhook', name: 'Hook', url: 'https://example.com/x', headers: { 'X-Token': 'secret' } }],
    [
      {
        type: 'Slack',
        name: 'Slack',
        channel: 'C0123456789',
        token: 'xoxb-1',
        onCall: [{ schedule: { id: 's-1' }, topic: true }],
      },
    ],
    [{ type: 'Telegram', name: 'Telegram', channel: '-1001234567890:12', token: '123456:ABC' }],
    [{ type: 'MSTeams', name: 'Teams' }],
    [{ type: 'HomeGrown', name: 'Own type' }],
  ])('takes each kind of integration, and says of a repeat that nothing changed: %j', async (body) => {
    service.schedules.put('s-1', { id: 's-1', name: 'Nights' } as ScheduleState);
    expect(await resultOf(put(body))).toBe('Created');
    expect(await resultOf(put(body))).toBe('Unchanged');
    expect((await stored()).key === undefined).toBe(body.type === 'Email');
  });

  it('of 20 requests at once creates one integration', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(put(full))));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
    expect((await stored()).version.n).toBe(1);
  });

  it('creates one again that was deleted, with a key of its own', async () => {
    await put(probe);
    const { key } = await stored();
    expect((await service.call('delete', `/v2/integrations/${ID}`)).status).toBe(200);
    service.clock.advance(1);
    expect(await resultOf(put(probe))).toBe('Created');
    expect((await stored()).key?.hash).not.toBe(key?.hash);
    expect(await service.store.rulesOf(ID)).toMatchObject({ name: 'Probe' });
  });

  it.each([
    [422, 'url', { type: 'Webhook', name: 'Hook' }],
    [422, 'headers.X', { type: 'Webhook', name: 'Hook', url: 'https://example.com/', headers: { X: '*****' } }],
    [422, 'url', { type: 'Webhook', name: 'Hook', url: 'https://example.com/*****' }],
    [422, 'token', { type: 'Slack', name: 'Slack', channel: 'ops', token: '*****' }],
    [422, 'signingSecret', { type: 'Slack', name: 'S', channel: 'ops', token: 'xoxb-1', signingSecret: '*****' }],
    [422, 'actions.create[0].name', { ...probe, actions: { create: [{}] } }],
    [422, 'actions.create[0].filter.conditions[0].field', { ...probe, actions: { create: [ofTools()] } }],
  ])('refuses with %i, naming %s, and stores nothing: %j', async (status, field, body) => {
    const answer = await put(body);
    expect(answer).toMatchObject({ status, body: { errors: { [field]: expect.any(String) } } });
    expect(await service.store.find(ID)).toBeUndefined();
  });

  it('refuses what names a thing that does not exist with 404', async () => {
    const team = { id: 'no-team' };
    const ofAction = { create: [{ ...action('Make'), responders: [{ type: 'team', id: 'no-team' }] }] };
    for (const fields of [
      { ownerTeam: team },
      { recipients: [{ type: 'user', id: 'no-user' }] },
      { actions: ofAction },
    ])
      expect(await put({ ...probe, ...fields })).toMatchObject({ status: 404 });
    expect(await service.store.find(ID)).toBeUndefined();
  });

  it('answers 409 to a name or an address of another integration, 422 to another type, and changes nothing', async () => {
    await created(service, { name: 'Taken' });
    await created(service, { type: 'Email', name: 'Mail', emailUsername: 'ops' });
    expect(await put({ ...probe, name: 'Taken' })).toMatchObject({
      status: 409,
      body: { message: 'Integration with name [Taken] already exists.' },
    });
    expect(await put({ type: 'Email', name: 'Mail 2', emailUsername: 'OPS' })).toMatchObject({
      status: 409,
      body: { message: 'Integration with emailUsername [OPS] already exists.' },
    });
    await put(probe);
    const before = await stored();
    expect(await put({ ...probe, name: 'Taken' })).toMatchObject({ status: 409 });
    expect(await put({ type: 'Prometheus', name: 'Probe' })).toMatchObject({ status: 422 });
    expect(await stored()).toEqual(before);
  });

  it('is published before it is answered, else 503, also each repeat, and then a repeat says that it is there (K2)', async () => {
    service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    for (let n = 0; n < 2; n += 1) expect((await put(probe)).status).toBe(503);
    service.announcer.refuseWith(undefined);
    service.announcer.insisted.length = 0;
    expect(await resultOf(put(probe))).toBe('Unchanged');
    expect(service.announcer.insisted).toEqual([ID]);
    expect((await stored()).version.n).toBe(1);
  });
});

/** An action of type API on a field that only requests of tools have. */
function ofTools() {
  const conditions = [{ field: 'payload.x', operation: 'equals', expectedValue: 'y' }];
  return { name: 'Tool', filter: { conditionMatchType: 'match-all-conditions', conditions } };
}

describe('PUT /v2/imports/keys/{identifier}', () => {
  it('makes the key that of the integration, stores its hash alone, and says so of a repeat', async () => {
    await put(probe);
    const random = (await stored()).key?.hash ?? '';
    const answer = await putKey({ apiKey: KEY });
    expect(answer).toMatchObject({ status: 200, body: { result: 'Updated', data: { id: ID } } });
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain(KEY.toLowerCase());
    const { key, retiringKeys, version } = await stored();
    expect(key).toEqual({ hash: hashKey(KEY), lastFour: '5a22' });
    expect(retiringKeys).toEqual([{ keyHash: random, validUntil: new Date('2026-01-01T01:00:00Z') }]);
    for (const same of [{ apiKey: KEY }, { apiKey: KEY.toLowerCase() }, { sha256: hashKey(KEY).toUpperCase() }])
      expect(await resultOf(putKey(same))).toBe('Unchanged');
    expect((await stored()).version).toEqual(version);
  });

  it('takes the hash alone, and signs webhooks with the secret of the key', async () => {
    await put(probe);
    expect(await resultOf(putKey({ sha256: hashKey(KEY) }))).toBe('Updated');
    expect((await stored()).key).toEqual({ hash: hashKey(KEY) });
    const other = { type: 'Webhook', name: 'Hook', url: 'https://example.com/' };
    await put(other, OTHER_ID);
    const key = '00000000-0000-1000-8000-000000000001';
    expect(await putKey({ sha256: hashKey(key) }, OTHER_ID)).toMatchObject({
      status: 422,
      body: { errors: { sha256: expect.any(String) } },
    });
    expect(await resultOf(putKey({ apiKey: key }, OTHER_ID))).toBe('Updated');
    expect((await stored(OTHER_ID)).key).toMatchObject({ signingSecret: webhookSecretOf(key) });
  });

  it('answers 409 to a key that another integration has or had before, and changes nothing', async () => {
    const { id, apiKey } = await created(service, { name: 'Holder' });
    await put(probe);
    const before = await stored();
    const refused = { status: 409, body: { message: 'Integration [Holder] has this key.' } };
    expect(await putKey({ apiKey })).toMatchObject(refused);
    await service.call('post', `/v2/integrations/${id}/rotate-key`);
    expect(await putKey({ sha256: hashKey(apiKey) })).toMatchObject(refused);
    expect(await stored()).toEqual(before);
    await service.call('delete', `/v2/integrations/${id}`);
    expect(await resultOf(putKey({ apiKey }))).toBe('Updated');
  });

  it('gives one of two integrations a key that both are given at once', async () => {
    await put(probe);
    await put({ ...probe, name: 'Other' }, OTHER_ID);
    const answers = await Promise.all([putKey({ apiKey: KEY }), putKey({ apiKey: KEY }, OTHER_ID)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('publishes which keys of the integration were imported, also replaced ones (M8)', async () => {
    await put(probe);
    const before = await stored();
    expect(stateMessage(before)).not.toHaveProperty('state.importedKeyHashes');
    await putKey({ apiKey: KEY });
    expect(stateMessage(await stored())).toMatchObject({ state: { importedKeyHashes: [hashKey(KEY)] } });
    await service.call('post', `/v2/integrations/${ID}/rotate-key`);
    const later = '8b1f0a52-6d2b-4e0f-9d3f-2f6f3c1f5a22';
    expect(stateMessage(await stored())).toMatchObject({ state: { importedKeyHashes: [hashKey(KEY)] } });
    await putKey({ apiKey: later });
    expect(stateMessage(await stored())).toMatchObject({
      state: { importedKeyHashes: [hashKey(later), hashKey(KEY)] },
    });
  });

  it('takes back no rotation', async () => {
    await put(probe);
    await putKey({ apiKey: KEY });
    const { body } = await service.call('post', `/v2/integrations/${ID}/rotate-key`);
    const { apiKey } = body['data'] as { apiKey: string };
    expect(await putKey({ apiKey: KEY })).toMatchObject({
      status: 409,
      body: { message: 'A later key of integration [Probe] has replaced this one.' },
    });
    expect((await stored()).key?.hash).toBe(hashKey(apiKey));
    expect((await stored()).retiringKeys.map(({ keyHash }) => keyHash)).toContain(hashKey(KEY));
  });

  it.each([0, 3_600_000])(
    'takes back no rotation when the key works no longer (overlap %d ms)',
    async (keyOverlapMs) => {
      service = await openFurnishedService({ keyOverlapMs });
      await put(probe);
      await putKey({ apiKey: KEY });
      const rotate = () => service.call('post', `/v2/integrations/${ID}/rotate-key`);
      await rotate();
      service.clock.advance(2 * 3_600_000);
      await rotate();
      const { key, retiringKeys } = await stored();
      expect(retiringKeys.map(({ keyHash }) => keyHash)).not.toContain(hashKey(KEY));
      await put({ ...probe, name: 'Renamed' });
      expect(await putKey({ sha256: hashKey(KEY) })).toMatchObject({
        status: 409,
        body: { message: 'A later key of integration [Renamed] has replaced this one.' },
      });
      expect((await stored()).key).toEqual(key);
    },
  );

  it.each([
    ['apiKey', { apiKey: 'not a key' }],
    ['apiKey', { apiKey: 'a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0' }],
    ['apiKey', {}],
    ['apiKey', { apiKey: KEY, sha256: hashKey(KEY) }],
    ['sha256', { sha256: hashKey(KEY).slice(1) }],
  ])('refuses with 422, naming %s and repeating nothing: %j', async (field, body) => {
    await put(probe);
    const before = await stored();
    const answer = await putKey(body);
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } });
    for (const value of Object.values(body)) expect(JSON.stringify(answer.body)).not.toContain(value);
    expect(await stored()).toEqual(before);
  });

  it('without an overlap makes the key before invalid before it is answered, else 503, also each repeat (K2)', async () => {
    service = await openFurnishedService({ keyOverlapMs: 0 });
    await put(probe);
    service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    for (let n = 0; n < 2; n += 1) expect((await putKey({ apiKey: KEY })).status).toBe(503);
    service.announcer.refuseWith(undefined);
    expect(await resultOf(putKey({ apiKey: KEY }))).toBe('Unchanged');
  });

  it('answers 404 without the integration, and 422 where it takes mail', async () => {
    expect((await putKey({ apiKey: KEY })).status).toBe(404);
    await put({ type: 'Email', name: 'Mail', emailUsername: 'ops' });
    expect(await putKey({ apiKey: KEY })).toMatchObject({ status: 422, body: { message: '[Mail] has no key.' } });
  });
});
