import { describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { DEFAULT_INTEGRATION } from './integration.ts';
import { created, openFurnishedService } from '../testing/integrations-fixture.ts';
import { ACCOUNT, OPS, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

const MISSING = '11111111-1111-4111-8111-111111111111';

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
    const { call } = await openService();
    for (const id of [MISSING, 'x', '%20'])
      expect((await call(method, `/v2/integrations/${id}${suffix}`)).status).toBe(404);
  });

  it('answers 403 to a team key for one of another team or of none, 200 for one of its own (K8)', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Others' });
    const others = await created(service, { name: 'others', ownerTeam: { id: 'team-2' } });
    const unowned = await created(service, { name: 'unowned' });
    const own = await created(service, { name: 'own', ownerTeam: { id: 'team-1' } });
    const status = async (id: string) =>
      (await service.call(method, `/v2/integrations/${id}${suffix}`, undefined, TEAM)).status;
    expect(await status(others.id)).toBe(403);
    expect(await status(unowned.id)).toBe(403);
    expect(await status(own.id)).toBe(200);
  });

  it('answers 403 without the right to configure', async () => {
    const service = await openService();
    const { id } = await created(service);
    const alertsOnly = { ...ACCOUNT, mayConfigure: false };
    expect((await service.call(method, `/v2/integrations/${id}${suffix}`, undefined, alertsOnly)).status).toBe(403);
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s …/disable and …/enable', (method) => {
  it('switch it off and on, and say what it is then', async () => {
    const service = await openService();
    const { id } = await created(service);
    const off = await service.call(method, `/v2/integrations/${id}/disable`, { Id: id });
    expect(off.body).toMatchObject({ code: 200, data: { id, name: 'Probe', type: 'API', enabled: false } });
    expect(await service.store.find(id)).toMatchObject({ enabled: false, version: { n: 2 } });
    const on = await service.call(method, `/v2/integrations/${id}/enable`);
    expect(on.body).toMatchObject({ code: 200, data: { id, name: 'Probe', type: 'API', enabled: true } });
    expect(await service.store.find(id)).toMatchObject({ enabled: true, version: { n: 3 } });
  });
});

describe('enabling one whose team is deleted', () => {
  it('answers 404 that names the team, by a switch and by a PUT, and leaves it off (S12)', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Gone' });
    const { id } = await created(service, { name: 'theirs', ownerTeam: { id: 'team-2' } });
    await service.call('post', `/v2/integrations/${id}/disable`);
    service.teams.remove('team-2');
    const switchedOn = await service.call('post', `/v2/integrations/${id}/enable`);
    expect(switchedOn).toMatchObject({ status: 404, body: { message: 'Team does not exist with id: team-2' } });
    const { data } = (await service.call('get', `/v2/integrations/${id}`)).body as { data: object };
    const put = (enabled: boolean) => service.call('put', `/v2/integrations/${id}`, { ...data, enabled });
    expect((await put(true)).status).toBe(404);
    expect((await put(false)).status).toBe(200);
    expect(await service.store.find(id)).toMatchObject({ enabled: false });
  });
});

describe('an enable during which the team is deleted', () => {
  it('answers 404 and leaves the integration off (S12)', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Gone' });
    const { id } = await created(service, { name: 'theirs', ownerTeam: { id: 'team-2' } });
    await service.call('post', `/v2/integrations/${id}/disable`);
    const update = service.store.update.bind(service.store);
    jest.spyOn(service.store, 'update').mockImplementationOnce(async (...args) => {
      await service.store.disableOfTeam('team-2');
      service.teams.remove('team-2');
      return update(...args);
    });
    expect(await service.call('post', `/v2/integrations/${id}/enable`)).toMatchObject({ status: 404 });
    expect(await service.store.find(id)).toMatchObject({ enabled: false });
    expect(service.announcer.insisted).toEqual([id]);
  });
});

describe('a PUT during which the team is deleted', () => {
  it('does not enable what the deletion disabled: 503, and 404 when it is repeated', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', { ...OPS, id: 'team-2', name: 'Gone' });
    const { id } = await created(service, { name: 'theirs', ownerTeam: { id: 'team-2' } });
    const { data } = (await service.call('get', `/v2/integrations/${id}`)).body as { data: object };
    const put = async () => (await service.call('put', `/v2/integrations/${id}`, data)).status;
    const update = service.store.update.bind(service.store);
    jest.spyOn(service.store, 'update').mockImplementationOnce(async (...args) => {
      await service.store.disableOfTeam('team-2');
      service.teams.remove('team-2');
      return update(...args);
    });
    expect([await put(), await put()]).toEqual([503, 404]);
    expect(await service.store.find(id)).toMatchObject({ enabled: false });
  });
});

describe.each([
  ['and this process knows it', true],
  ['and this process does not know it yet', false],
])('a team that is deleted after it was looked up, %s,', (_, heard) => {
  const gone = { ...OPS, id: 'team-2', name: 'Gone' };
  const deletedBefore = (service: TestService, write: 'insert' | 'update') => {
    const original = service.store[write].bind(service.store) as (...args: unknown[]) => Promise<never>;
    jest.spyOn(service.store, write).mockImplementationOnce(async (...args: unknown[]) => {
      await service.store.disableOfTeam('team-2');
      if (heard) service.teams.remove('team-2');
      return original(...args);
    });
  };

  it('gets no new integration: 404, and its name is free', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', gone);
    deletedBefore(service, 'insert');
    const body = { type: 'API', name: 'theirs', ownerTeam: { id: 'team-2' } };
    expect((await service.call('post', '/v2/integrations', body)).status).toBe(404);
    expect((await service.store.list({})).map(({ name }) => name)).toEqual(['Default API']);
  });

  it('gets no integration by a PUT that leaves it enabled: 404, and it is what it was', async () => {
    const service = await openFurnishedService();
    service.teams.put('team-2', gone);
    const { id } = await created(service, { name: 'unowned' });
    const before = await service.store.find(id);
    deletedBefore(service, 'update');
    const body = { type: 'API', name: 'unowned', ownerTeam: { id: 'team-2' } };
    expect((await service.call('put', `/v2/integrations/${id}`, body)).status).toBe(404);
    expect(await service.store.find(id)).toEqual(before);
  });
});

describe('disabling', () => {
  it('answers only when every service was notified, else 503, and again the same (K2)', async () => {
    const service = await openService();
    const { id } = await created(service);
    service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await service.call('post', `/v2/integrations/${id}/disable`)).status).toBe(503);
    service.announcer.refuseWith(undefined);
    expect((await service.call('post', `/v2/integrations/${id}/disable`)).status).toBe(200);
    expect(service.announcer.insisted).toEqual([id]);
  });
});

describe('replacing a key without an overlap', () => {
  it('answers only when every service knows that the key before is invalid, else 503 (K2)', async () => {
    const service = await openService({ keyOverlapMs: 0 });
    const { id } = await created(service);
    const rotate = async () => (await service.call('post', `/v2/integrations/${id}/rotate-key`)).status;
    service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect(await rotate()).toBe(503);
    service.announcer.refuseWith(undefined);
    expect(await rotate()).toBe(200);
    expect(service.announcer.insisted).toEqual([id]);
  });
});

describe('deleting', () => {
  it('removes it, its key first, and frees its name', async () => {
    const service = await openService();
    const { id } = await created(service);
    const { status, body } = await service.call('delete', `/v2/integrations/${id}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 200, result: 'Deleted successful' } });
    expect(service.announcer.insisted).toEqual([id]);
    expect((await service.call('get', `/v2/integrations/${id}`)).status).toBe(404);
    await created(service);
  });

  it('answers 503 and keeps it while the other services cannot be notified that the key is invalid', async () => {
    const service = await openService();
    const { id } = await created(service);
    service.announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await service.call('delete', `/v2/integrations/${id}`)).status).toBe(503);
    expect(await service.store.find(id)).toMatchObject({ id });
  });
});

describe('the default integration', () => {
  it.each([
    ['delete', ''],
    ['post', '/disable'],
    ['put', '/disable'],
  ] as const)('is refused %s%s (K7)', async (method, suffix) => {
    const service = await openFurnishedService();
    const { status } = await service.call(method, `/v2/integrations/${DEFAULT_INTEGRATION.id}${suffix}`);
    expect(status).toBe(422);
    expect(await service.store.find(DEFAULT_INTEGRATION.id)).toMatchObject({ enabled: true });
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s /v2/integrations/authenticate', (method) => {
  it('says whether the key is of that type, to any key (K3)', async () => {
    const { call } = await openService();
    const weak = { ...TEAM, mayWrite: false, mayConfigure: false };
    const { status, body } = await call(method, '/v2/integrations/authenticate', { type: 'api' }, weak);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { code: 200, result: 'Integration of type [api] is valid.' },
    });
  });

  it.each([{}, { type: '' }, { type: 'Grafana' }])('answers 422 naming type: %j', async (body) => {
    const { call } = await openService();
    const refused = await call(method, '/v2/integrations/authenticate', body);
    expect(refused).toMatchObject({ status: 422, body: { errors: { type: expect.any(String) } } });
  });
});
