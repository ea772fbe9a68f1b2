import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem({ KEY_ROTATION_OVERLAP_MINUTES: '30' });

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

let gateways: readonly Api[];

beforeAll(async () => {
  gateways = [system.api, await system.anotherGateway()];
});

const create = (name: string) => system.api.create<Created>('/v2/integrations', { type: 'API', name });

/** The answer of each gateway to `key`. */
const statuses = (key: string) =>
  Promise.all(gateways.map(async (gateway) => (await gateway.as(key).request('GET', '/v2/alerts')).status));

/** Waits for what every gateway gets by itself. */
const known = (key: string, status: number) =>
  eventually(async () => {
    expect(await statuses(key)).toEqual(gateways.map(() => status));
  });

describe('the key of an integration', () => {
  it('that is made through one gateway works at the other at once (E11)', async () => {
    expect(await statuses((await create('Made')).apiKey)).toEqual([200, 200]);
  });

  it('that is disabled through either is refused by both, and works again when it is enabled (K2)', async () => {
    const { id, apiKey } = await create('Switched');
    expect(await statuses(apiKey)).toEqual([200, 200]);
    for (const gateway of gateways) {
      await gateway.expect(200, 'POST', `/v2/integrations/${id}/disable`);
      await known(apiKey, 401);
      await gateway.expect(200, 'POST', `/v2/integrations/${id}/enable`);
      await known(apiKey, 200);
    }
  });

  it('that is deleted, or may less than before, is known as such by both', async () => {
    const { id, apiKey } = await create('Weakened');
    expect(await statuses(apiKey)).toEqual([200, 200]);
    await system.api.expect(200, 'PUT', `/v2/integrations/${id}`, {
      type: 'API',
      name: 'Weakened',
      allowWriteAccess: false,
    });
    await eventually(async () => {
      for (const gateway of gateways)
        expect((await gateway.as(apiKey).request('POST', '/v2/alerts', { message: 'Too late' })).status).toBe(403);
    });
    await system.api.expect(200, 'DELETE', `/v2/integrations/${id}`);
    await known(apiKey, 401);
  });

  it('that is replaced works for the overlap and not after, the new one from its answer on, at both (K2)', async () => {
    const { id, apiKey } = await create('Rotated');
    const { body } = await system.api.expect(200, 'POST', `/v2/integrations/${id}/rotate-key`);
    const fresh = (body['data'] as Created).apiKey;
    expect(await statuses(fresh)).toEqual([200, 200]);
    expect(await statuses(apiKey)).toEqual([200, 200]);
    await system.pass(29);
    expect(await statuses(apiKey)).toEqual([200, 200]);
    await system.pass(1);
    expect(await statuses(apiKey)).toEqual([401, 401]);
    expect(await statuses(fresh)).toEqual([200, 200]);
  });
});
