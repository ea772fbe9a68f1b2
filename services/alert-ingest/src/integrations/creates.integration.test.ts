import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { hashKey } from '@tocsin/http';
import { created, detail, openFurnishedService } from '../testing/integrations-fixture.ts';
import { ACCOUNT, OPS, openService, TEAM } from '../testing/app-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('POST /v2/integrations', () => {
  it('answers 201 with the key, which is kept only as hash and last four characters (K2)', async () => {
    const service = await openService();
    const { status, body } = await service.call('post', '/v2/integrations', { type: 'prometheus', name: 'Probe' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { code: 201, data: { name: 'Probe', enabled: true, type: 'prometheus' } },
    });
    const { id, apiKey } = (body as { data: { id: string; apiKey: string } }).data;
    expect(apiKey).toMatch(UUID);
    const stored = await service.store.find(id);
    expect(stored).toMatchObject({ key: { hash: hashKey(apiKey), lastFour: apiKey.slice(-4) } });
    expect(JSON.stringify(stored)).not.toContain(apiKey);
    expect(JSON.stringify(await detail(service, id))).not.toContain(apiKey);
  });

  it('takes every default of the specification', async () => {
    const service = await openService();
    const { id } = await created(service);
    expect(await detail(service, id)).toEqual({
      id,
      name: 'Probe',
      type: 'API',
      enabled: true,
      behavesAs: 'api',
      isGlobal: true,
      isAdvanced: false,
      _readOnly: ['behavesAs', 'isAdvanced', 'isGlobal'],
      allowReadAccess: true,
      allowWriteAccess: true,
      allowConfigurationAccess: false,
      ignoreRecipientsFromPayload: false,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      ignoreTagsFromPayload: false,
      ignoreExtraPropertiesFromPayload: false,
      suppressNotifications: false,
      keepSamples: true,
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
    const service = await openFurnishedService();
    const { id } = await created(service, {
      enabled: 'false',
      ownerTeam: { name: 'Ops' },
      allowReadAccess: 'false',
      allowWriteAccess: false,
      allowConfigurationAccess: 'True',
      ignoreRecipientsFromPayload: true,
      suppressNotifications: true,
      keepSamples: 'false',
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
      allowReadAccess: false,
      allowWriteAccess: false,
      allowConfigurationAccess: true,
      ignoreRecipientsFromPayload: true,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      suppressNotifications: true,
      keepSamples: false,
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
    [{ ignoreTeamsFromPayload: false, ignoreRespondersFromPayload: true }, [true, true, true]],
  ])('keeps the ignore flags in step: %j (P2, P11)', async (fields, [recipients, teams, responders]) => {
    const service = await openService();
    const { id } = await created(service, fields);
    expect(await detail(service, id)).toMatchObject({
      ignoreRecipientsFromPayload: recipients,
      ignoreTeamsFromPayload: teams,
      ignoreRespondersFromPayload: responders,
    });
  });

  it('reads responders before recipients, and gives back those too that are too many for an alert (P2, E10)', async () => {
    const service = await openFurnishedService();
    const responders = Array.from({ length: 60 }, () => ({ type: 'team', id: 'team-1' }));
    const { id } = await created(service, { recipients: [{ type: 'none' }], responders });
    expect((await detail(service, id))['recipients']).toHaveLength(60);
  });

  it('answers with the names that references bear now', async () => {
    const service = await openFurnishedService();
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
    const service = await openService();
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
    const { call, store } = await openService();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
    expect(status).toBe(404);
    expect((body as { message: string }).message).toContain(named);
    expect(await store.list({})).toEqual([]);
  });

  it('finds a team that was created a moment ago, and answers 503 when its owner cannot be asked', async () => {
    const service = await openService();
    service.teams.ownerHas('name', 'Ops', OPS);
    service.teams.ownerHas('id', OPS.id, OPS);
    await created(service, { ownerTeam: { name: 'Ops' } });
    service.teams.refuseWith(new UnavailableError('The directory is unavailable.'));
    const body = { type: 'API', name: 'Other', ownerTeam: { name: 'Others' } };
    expect((await service.call('post', '/v2/integrations', body)).status).toBe(503);
  });

  it('takes an empty owner team for none (E12)', async () => {
    const service = await openService();
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
    [{ type: 'Webhook', url: 'https://ada:secret@example.com/' }, 'url', 'should have no user name and no password'],
    [{ type: 'Webhook', url: 'http:///ada@example.com' }, 'url', 'should have no user name and no password'],
    [{ headers: { 'a b': 'c' } }, 'headers.a b', 'should be'],
    [{ headers: { a: 'b\r\nc' } }, 'headers.a', 'should have no line breaks'],
    [{ headers: 'x' }, 'headers', 'should be a map of strings'],
    [{ alertFilter: { conditionMatchType: 'Match Some' } }, 'alertFilter.conditionMatchType', 'should be one of'],
    [{ type: 'Telegraph' }, 'type', '[Telegraph] is not a known type'],
    [{ enabled: 'maybe' }, 'enabled', 'should be true or false'],
    [{ keepSamples: 1 }, 'keepSamples', 'should be true or false'],
    [{ allowReadAccess: 'no' }, 'allowReadAccess', 'should be true or false'],
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
    [{ responders: [{ type: 'team', title: 'Ops' }] }, 'responders[0]', 'id or name should be provided'],
    [{ alertActions: ['Explode'] }, 'alertActions[0]', 'should be one of'],
  ])('refuses %j naming %s, and keeps nothing', async (fields, key, said) => {
    const { call, store } = await openService();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
    expect(status).toBe(422);
    expect((body as { errors: Record<string, string> }).errors[key]).toContain(said);
    expect(await store.list({})).toEqual([]);
  });

  it('takes the types of EXTRA_INTEGRATION_TYPES (P12)', async () => {
    expect(await created(await openService(), { type: 'homegrown' })).toMatchObject({ type: 'homegrown' });
  });

  it.each([
    ['a team', TEAM],
    ['reading', { ...ACCOUNT, mayWrite: false }],
    ['alerts', { ...ACCOUNT, mayConfigure: false }],
  ])('answers 403 to a key of %s (K3, K8)', async (_, principal) => {
    const { call } = await openService();
    const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe' }, principal);
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 40301 } });
  });
});
