import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

const probe = (scenario: Scenario) => ({ type: 'API', name: scenario.name('Imported') });
const integration = (id: string) => `/v2/imports/integrations/${id}`;
const keyOf = (id: string) => `/v2/imports/keys/${id}`;
const resultOf = async (path: string, body: object) => (await system.api.expect(200, 'PUT', path, body)).body['result'];

describe('the import of integrations and keys (I5, I6)', () => {
  it('import-integration answers Created, Updated and Unchanged, and the integration has its id and actions', async () => {
    const scenario = system.scenario();
    const id = randomUUID();
    const body = { ...probe(scenario), actions: { ignore: [{ name: 'Ignore' }] } };
    const { body: answer } = await system.api.expect(200, 'PUT', integration(id), probe(scenario));
    expect(answer).toMatchObject({ result: 'Created', data: { id } });
    expect(await resultOf(integration(id), body)).toBe('Updated');
    expect(await resultOf(integration(id), body)).toBe('Unchanged');
    expect(await system.api.read(`/v2/integrations/${id}`)).toMatchObject({ id, ...probe(scenario), isAdvanced: true });
    expect(await system.api.read(`/v2/integrations/${id}/actions`)).toMatchObject({
      ignore: [{ name: 'Ignore' }],
      create: [],
    });
  });

  it('import-key lets the senders of the other account open alerts in the integration, with their old key', async () => {
    const scenario = system.scenario();
    const [id, apiKey] = [randomUUID(), randomUUID().toUpperCase()];
    await system.api.expect(200, 'PUT', integration(id), probe(scenario));
    const sender = system.api.as(apiKey);
    expect((await sender.request('POST', '/v2/alerts', { message: 'Too early' })).status).toBe(401);
    expect(await resultOf(keyOf(id), { apiKey })).toBe('Updated');
    expect(await resultOf(keyOf(id), { apiKey })).toBe('Unchanged');
    const alias = scenario.name('disk');
    await sender.expect(202, 'POST', '/v2/alerts', { message: 'Disk full', alias });
    await system.settle();
    expect(await system.api.read(`/v2/alerts/${encodeURIComponent(alias)}?identifierType=alias`)).toMatchObject({
      message: 'Disk full',
      status: 'open',
      integration: { id },
    });
  });

  it('is seen by every service again after a deletion under the same id, and the key works again', async () => {
    const scenario = system.scenario();
    const [id, apiKey] = [randomUUID(), randomUUID()];
    const statusOf = async () => (await system.api.as(apiKey).request('GET', '/v2/alerts?limit=1')).status;
    await system.api.expect(200, 'PUT', integration(id), probe(scenario));
    await system.api.expect(200, 'PUT', keyOf(id), { apiKey });
    expect(await statusOf()).toBe(200);
    await system.api.expect(200, 'DELETE', `/v2/integrations/${id}`);
    await system.settle();
    expect(await statusOf()).toBe(401);
    expect(await resultOf(integration(id), probe(scenario))).toBe('Created');
    expect(await resultOf(keyOf(id), { apiKey })).toBe('Updated');
    expect(await statusOf()).toBe(200);
  });

  it('answers 409 to the key of another integration, 422 to what is no key, and never repeats one', async () => {
    const scenario = system.scenario();
    const id = randomUUID();
    const { apiKey } = await system.api.create<{ apiKey: string }>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Holder'),
    });
    await system.api.expect(200, 'PUT', integration(id), probe(scenario));
    for (const [status, key] of [
      [409, apiKey],
      [422, `${apiKey}-more`],
    ] as const) {
      const answer = await system.api.request('PUT', keyOf(id), { apiKey: key });
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).not.toContain(apiKey);
    }
    expect((await system.api.request('PUT', keyOf(randomUUID()), { apiKey: randomUUID() })).status).toBe(404);
  });
});
