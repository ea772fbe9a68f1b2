import { describe, expect, it } from '@jest/globals';
import { created, openFurnishedService } from '../testing/integrations-fixture.ts';
import { ACCOUNT, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('GET /v2/integrations', () => {
  async function names({ call }: TestService, query = '', principal = ACCOUNT): Promise<unknown> {
    const { status, body } = await call('get', `/v2/integrations${query}`, undefined, principal);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 200 } });
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  }

  async function stocked(): Promise<TestService> {
    const service = await openFurnishedService();
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
    const { call } = await openService();
    expect(await call('get', '/v2/integrations?type=Telegraph')).toMatchObject({
      status: 422,
      body: { errors: { type: 'is not a known type' } },
    });
  });
});
