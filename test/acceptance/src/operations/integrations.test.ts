import { describe, expect, it } from '@jest/globals';
import { formatInstant } from '@tocsin/events';
import { useSystem } from '../system/system.ts';

const system = useSystem({ KEY_ROTATION_OVERLAP_MINUTES: '30', EMAIL_DOMAIN: 'alerts.example.com' });

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

const create = (name: string, fields: object = {}) =>
  system.api.create<Created>('/v2/integrations', { type: 'API', name, ...fields });

const one = ({ id }: Created) => `/v2/integrations/${id}`;

describe('integrations (part 1, 4.2)', () => {
  it('create-integration answers 201 with the key, or the address of an e-mail integration', async () => {
    expect(await create('Made')).toMatchObject({ name: 'Made', enabled: true, apiKey: expect.any(String) });
    expect(await create('Mail', { type: 'Email', emailUsername: 'ops' })).toMatchObject({
      emailAddress: 'ops@alerts.example.com',
    });
    expect((await system.api.request('POST', '/v2/integrations', { type: 'API', name: 'Made' })).status).toBe(409);
    expect((await system.api.request('POST', '/v2/integrations', { type: 'Webhook', name: 'x' })).status).toBe(422);
  });

  it('list-integrations filters by type, teamId and teamName; a team key sees those of its team (K4)', async () => {
    const scenario = system.scenario();
    const { id: teamId } = await scenario.team('Watch');
    const { id, apiKey } = await create('Of a team', { type: 'Grafana', ownerTeam: { id: teamId } });
    const own = [{ id, name: 'Of a team', type: 'Grafana', enabled: true, teamId }];
    for (const query of [`teamId=${teamId}`, `teamName=${encodeURIComponent(scenario.name('Watch'))}`, 'type=grafana'])
      expect(await system.api.read(`/v2/integrations?${query}`)).toEqual(own);
    const team = system.api.as(apiKey);
    expect((await team.request('GET', '/v2/integrations')).status).toBe(403);
    await system.api.expect(200, 'PUT', `/v2/integrations/${id}`, {
      type: 'Grafana',
      name: 'Of a team',
      ownerTeam: { id: teamId },
      allowConfigurationAccess: true,
    });
    await system.settle();
    expect(await team.read('/v2/integrations')).toEqual(own);
    expect((await team.request('GET', `/v2/integrations?teamId=${teamId}`)).status).toBe(403);
  });

  it('get-integration answers every field, what cannot be written named in _readOnly', async () => {
    const hook = { type: 'Webhook', url: 'https://example.com/', headers: { 'X-A': 'b' }, addAlertDetails: true };
    const filter = {
      conditionMatchType: 'match-any-condition',
      conditions: [{ field: 'message', not: true, operation: 'contains', expectedValue: 'test' }],
    };
    const created = await create('Read', { ...hook, alertActions: ['create', 'Close'], alertFilter: filter });
    expect(await system.api.read(one(created))).toMatchObject({
      ...hook,
      id: created.id,
      name: 'Read',
      isGlobal: true,
      _readOnly: ['behavesAs', 'isAdvanced', 'isGlobal'],
      alertActions: ['Create', 'Close'],
      alertFilter: filter,
    });
    expect((await system.api.request('GET', '/v2/integrations/none')).status).toBe(404);
  });

  it('what an integration says of its alerts is kept, and is in each of them (wire facts 5)', async () => {
    const scenario = system.scenario();
    const { id: teamId } = await scenario.team('Night');
    const assignedTeam = { id: teamId, name: scenario.name('Night') };
    const said = {
      priority: 'P1',
      customPriority: '',
      tags: ['prod', '{{entity}}'],
      extraProperties: { region: 'eu' },
    };
    const created = await create('Saying', { ...said, assignedTeam, ignoreTagsFromPayload: true });
    const read = await system.api.read<Record<string, unknown>>(one(created));
    expect(read).toMatchObject({ assignedTeam, priority: 'P1', tags: said.tags, extraProperties: { region: 'eu' } });
    const alert = { message: 'Disk full', alias: scenario.name('said'), entity: 'db', tags: ['sent'] };
    await system.api.as(created.apiKey).expect(202, 'POST', '/v2/alerts', alert);
    await system.settle();
    expect(await scenario.alertOf(alert.alias)).toMatchObject({
      priority: 'P1',
      tags: ['prod', 'db'],
      details: { region: 'eu' },
      responders: [{ type: 'team', id: teamId }],
    });
    await system.api.expect(200, 'PUT', one(created), { type: 'API', name: 'Saying' });
    const { assignedTeam: none, ...replaced } = await system.api.read<Record<string, unknown>>(one(created));
    expect({ none, ...replaced }).toMatchObject({ none: undefined, tags: [], extraProperties: {} });
  });

  it('update-integration replaces everything, and changes nothing when it is given what was read', async () => {
    const created = await create('Before', { suppressNotifications: true });
    const read = await system.api.read<object>(one(created));
    await system.api.expect(200, 'PUT', one(created), read);
    expect(await system.api.read(one(created))).toEqual(read);
    const { body } = await system.api.expect(200, 'PUT', one(created), { type: 'API', name: 'After' });
    expect(body).toMatchObject({ code: 200, data: { id: created.id, name: 'After', enabled: true, type: 'API' } });
    expect(await system.api.read(one(created))).toMatchObject({ suppressNotifications: false });
    expect((await system.api.request('PUT', one(created), { type: 'Nagios', name: 'After' })).status).toBe(422);
  });

  it('delete-integration answers in the words of the specification, and its key is gone', async () => {
    const created = await create('Leaving');
    const { body } = await system.api.expect(200, 'DELETE', one(created));
    expect(body).toMatchObject({ code: 200, result: 'Deleted successful' });
    await system.settle();
    expect((await system.api.as(created.apiKey).request('GET', '/v2/alerts')).status).toBe(401);
    expect((await system.api.request('GET', one(created))).status).toBe(404);
  });

  it.each([
    ['disable-integration, enable-integration', 'POST'],
    ['disable-integration-by-put, enable-integration-by-put', 'PUT'],
    ['disable-integration-by-patch, enable-integration-by-patch', 'PATCH'],
  ] as const)('%s switch it off and on', async (_, method) => {
    const created = await create(`Switched by ${method}`);
    for (const [verb, enabled] of [
      ['disable', false],
      ['enable', true],
    ] as const) {
      const { body } = await system.api.expect(200, method, `${one(created)}/${verb}`);
      expect(body).toMatchObject({ data: { id: created.id, type: 'API', enabled } });
    }
  });

  it.each([
    ['authenticate-integration', 'POST'],
    ['authenticate-integration-by-put', 'PUT'],
    ['authenticate-integration-by-patch', 'PATCH'],
  ] as const)('%s says whether the key is of a type, 422 where it is not', async (_, method) => {
    const { apiKey } = await create(`Asked by ${method}`, { type: 'Sentry' });
    const api = system.api.as(apiKey);
    expect((await api.request(method, '/v2/integrations/authenticate', { type: 'sentry' })).status).toBe(200);
    expect((await api.request(method, '/v2/integrations/authenticate', { type: 'API' })).status).toBe(422);
  });

  it('rotate-integration-key gives a new key and says until when the one before works', async () => {
    const { id, apiKey } = await create('Rotated');
    const { body } = await system.api.expect(200, 'POST', `/v2/integrations/${id}/rotate-key`);
    const validUntil = new Date(system.clock.now().getTime() + 30 * 60_000);
    expect(body).toMatchObject({
      data: { id, name: 'Rotated', apiKey: expect.any(String), previousKeyValidUntil: formatInstant(validUntil) },
    });
    expect((body['data'] as Created).apiKey).not.toBe(apiKey);
    const mail = await create('Keyless', { type: 'Email', emailUsername: 'keyless' });
    expect((await system.api.request('POST', `${one(mail)}/rotate-key`)).status).toBe(422);
  });
});
