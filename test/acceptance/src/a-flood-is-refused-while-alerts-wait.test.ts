import { describe, expect, it } from '@jest/globals';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem({ RATE_LIMITS: 'off', BACKLOG_RATE: '1/20' });

/** Callers of the key that floods; each sends again at once, whatever it hears. */
const CALLERS = 64;
const LONGEST_MS = 30_000;
/** An alert is processed more slowly than it is sent: each of its words can be searched for. */
const MANY_WORDS = Array.from({ length: 500 }, (_, number) => `word${number}`).join(' ');

async function newKey(name: string): Promise<Api> {
  return system.api.as((await system.api.create<{ apiKey: string }>('/v2/integrations', { type: 'API', name })).apiKey);
}

describe('a key that sends more alerts than the system processes', () => {
  it('hears 503 and when to come back, another key is not refused, and all that was accepted is settled (F3)', async () => {
    const [noisy, quiet] = [await newKey('Flood'), await newKey('Beside a flood')];
    const alert = { message: 'Disk full', entity: system.scenario().name('flood'), description: MANY_WORDS };
    const until = performance.now() + LONGEST_MS;
    let [accepted, isRefused] = [0, false];
    const caller = async (): Promise<void> => {
      while (!isRefused && performance.now() < until) {
        const { body, headers, status } = await noisy.request('POST', '/v2/alerts', alert);
        if (status === 202) {
          accepted += 1;
          continue;
        }
        expect({ status, message: body['message'] }).toEqual({
          status: 503,
          message: 'Too many alerts wait to be processed. Please try again.',
        });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        isRefused = true;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    expect(isRefused).toBe(true);
    expect(accepted).toBeGreaterThan(20);
    await quiet.expect(202, 'POST', '/v2/alerts', { ...alert, alias: 'beside a flood' });
    await system.settle();
    const { count } = await system.api.read<{ count: number }>(`/v2/alerts/count?query=entity%3D"${alert.entity}"`);
    expect(count).toBe(accepted + 1);
  });
});
