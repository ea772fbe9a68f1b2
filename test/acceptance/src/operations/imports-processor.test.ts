import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

/** Imports a thing, says what came of it, and says so of a repeat. */
async function imported(kind: string, id: string, body: object): Promise<unknown> {
  const { body: answer } = await system.api.expect(200, 'PUT', `/v2/imports/${kind}/${id}`, body);
  expect(answer).toMatchObject({ data: { id } });
  const { body: repeated } = await system.api.expect(200, 'PUT', `/v2/imports/${kind}/${id}`, body);
  expect(repeated).toMatchObject({ result: 'Unchanged' });
  return answer['result'];
}

describe('the import of policies, maintenance windows and saved searches (I7, I8)', () => {
  it('import-policy gives the policies of a team their ids and their order', async () => {
    const team = await system.scenario().team('Ops');
    const policy = (name: string, order: number) => ({
      type: 'alert',
      name,
      order,
      teamId: team.id,
      message: '{{message}}',
      tags: [name],
    });
    for (const [order, name] of ['third', 'second', 'first'].entries())
      expect(await imported('policies', randomUUID(), policy(name, 3 - order))).toBe('Created');
    const listed = await system.api.read<readonly { name: string }[]>(`/v2/policies/alert?teamId=${team.id}`);
    expect(listed.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  });

  it('import-policy-v1 gives a policy of the account its id', async () => {
    const id = randomUUID();
    const body = { type: 'notification-suppress', name: system.scenario().name('Quiet'), enabled: false };
    expect(await imported('policies-v1', id, body)).toBe('Created');
    expect(await imported('policies-v1', id, { ...body, policyDescription: 'd' })).toBe('Updated');
    expect(await system.api.read(`/v1/policies/${id}`)).toMatchObject({ ...body, policyDescription: 'd' });
    await system.api.expect(200, 'DELETE', `/v1/policies/${id}`);
  });

  it('import-maintenance silences an imported integration, also after a deletion under the same id', async () => {
    const scenario = system.scenario();
    const [id, integrationId, apiKey] = [randomUUID(), randomUUID(), randomUUID()];
    await imported('integrations', integrationId, { type: 'API', name: scenario.name('Silenced') });
    await system.api.expect(200, 'PUT', `/v2/imports/keys/${integrationId}`, { apiKey });
    const now = system.clock.now().getTime();
    const time = {
      type: 'schedule',
      startDate: new Date(now - 3_600_000).toISOString(),
      endDate: new Date(now + 3_600_000).toISOString(),
    };
    const rules = [{ entity: { type: 'integration', id: integrationId }, state: 'disabled' }];
    expect(await imported('maintenance', id, { time, rules })).toBe('Created');
    await system.api.expect(200, 'DELETE', `/v1/maintenance/${id}`);
    expect(await imported('maintenance', id, { time, rules })).toBe('Created');
    const { body } = await system.api.as(apiKey).expect(202, 'POST', '/v2/alerts', { message: 'Silent' });
    await system.settle();
    expect(await system.api.read(`/v2/alerts/requests/${String(body['requestId'])}`)).toMatchObject({
      status: expect.stringContaining('maintenance'),
    });
    await system.api.expect(200, 'DELETE', `/v1/maintenance/${id}`);
  });

  it('import-saved-search gives a search its id', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const id = randomUUID();
    const body = { name: scenario.name('Open'), query: 'status:open', owner: { username: scenario.address('ada') } };
    expect(await imported('saved-searches', id, body)).toBe('Created');
    expect(await imported('saved-searches', id, { ...body, query: 'status:closed' })).toBe('Updated');
    expect(await system.api.read(`/v2/alerts/saved-searches/${id}`)).toMatchObject({
      name: body.name,
      query: 'status:closed',
    });
  });
});
