import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Api } from './system/api.ts';
import type { Answer } from './system/answer.ts';
import { useSystem } from './system/system.ts';

const system = useSystem({ RATE_LIMITS: 'alert=1/5', FAILED_AUTH_LIMIT: '1/5' });

async function newKey(name: string): Promise<Api> {
  const integration = { type: 'API', name, allowConfigurationAccess: true };
  return system.api.as((await system.api.create<{ apiKey: string }>('/v2/integrations', integration)).apiKey);
}

/** So many requests at once; of each status, its answers. */
async function atOnce(count: number, request: () => Promise<Answer>): Promise<Map<number, Answer[]>> {
  return Map.groupBy(await Promise.all(Array.from({ length: count }, request)), ({ status }) => status);
}

describe('a key over the rate of a domain', () => {
  it('receives 429 with the time to wait, is served after it, and affects neither other domains nor other keys (F6, E3)', async () => {
    const [noisy, quiet] = [await newKey('Noisy'), await newKey('Quiet')];
    const alert = { message: 'Disk full', entity: system.scenario().name('noisy') };
    const answers = await atOnce(40, () => noisy.request('POST', '/v2/alerts', alert));
    expect([...answers.keys()].sort()).toEqual([202, 429]);
    expect(answers.get(202)?.length).toBeGreaterThanOrEqual(5);

    await quiet.expect(202, 'POST', '/v2/alerts', { ...alert, alias: 'of the quiet one' });
    await noisy.expect(200, 'GET', '/v2/alerts');
    await noisy.expect(200, 'GET', '/v2/schedules/on-calls');

    const refused = (await atOnce(10, () => noisy.request('POST', '/v2/alerts', alert))).get(429)?.at(-1);
    expect(refused?.body).toMatchObject({ message: 'You are making too many requests!' });
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'x-ratelimit-state': 'THROTTLED',
      'x-ratelimit-reason': 'INTEGRATION',
      'x-ratelimit-period-in-sec': '1',
      'x-request-id': refused?.body['requestId'],
    });
    await pause(1_000 * Number(refused?.headers.get('retry-after')));
    const { headers } = await noisy.expect(202, 'POST', '/v2/alerts', alert);
    expect(headers.get('x-ratelimit-state')).toBe('OK');
  });

  it('reads its rates beforehand (E16)', async () => {
    const { rateLimits } = await system.api.read<{ rateLimits: readonly { domain: string }[] }>('/v2/request-limits');
    expect(rateLimits.find(({ domain }) => domain === 'alert')).toEqual({
      domain: 'alert',
      limits: [
        { limit: 1, periodInSeconds: 1 },
        { limit: 5, periodInSeconds: 60 },
      ],
    });
  });
});

describe('an address that tries keys that do not exist', () => {
  it('receives 429 for further ones, and a valid key from the same address works (F6)', async () => {
    const good = await newKey('Beside a guesser');
    await system.settle();
    const guess = () => system.api.as(crypto.randomUUID()).request('GET', '/v2/alerts');
    const answers = await atOnce(40, guess);
    expect([...answers.keys()].sort()).toEqual([401, 429]);
    expect(answers.get(401)?.length).toBeGreaterThanOrEqual(5);
    expect(answers.get(429)?.[0]?.headers.get('x-ratelimit-reason')).toBe('ADDRESS');
    await good.expect(200, 'GET', '/v2/alerts');
  });
});
