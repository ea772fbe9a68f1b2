import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem({ RATE_LIMITS: 'off', BACKLOG_RATE: '1/20' });

/** Callers of the key that floods; each sends again at once, whatever it hears. More than any machine of a developer settles meanwhile. */
const CALLERS = 64;
const LONGEST_MS = 60_000;
/** An alert is processed more slowly than it is sent: each of its words can be searched for. */
const MANY_WORDS = Array.from({ length: 500 }, (_, number) => `word${number}`).join(' ');

async function newKey(name: string): Promise<Api> {
  return system.api.as((await system.api.create<{ apiKey: string }>('/v2/integrations', { type: 'API', name })).apiKey);
}

const isHeldBack = ({ body, status }: { readonly body: Readonly<Record<string, unknown>>; readonly status: number }) =>
  status === 503 && body['message'] === 'Too many alerts wait to be processed. Please try again.';

describe('a key that sends more alerts than the system processes', () => {
  it('hears 503 and when to come back, another key is not held back, and all that was accepted is settled (F3)', async () => {
    const [noisy, quiet] = [await newKey('Flood'), await newKey('Beside a flood')];
    const alert = { message: 'Disk full', entity: system.scenario().name('flood'), description: MANY_WORDS };
    const until = performance.now() + LONGEST_MS;
    // What a busy machine did not take in time may be there all the same.
    let [accepted, unknown, isOver] = [0, 0, false];
    const held: { readonly retryAfter: number }[] = [];
    const others = new Set<number>();
    const ask = async (api: Api): Promise<boolean> => {
      const answer = await api.request('POST', '/v2/alerts', alert);
      const isHeld = isHeldBack(answer);
      if (isHeld) held.push({ retryAfter: Number(answer.headers.get('retry-after')) });
      else if (answer.status === 202) accepted += 1;
      else if (answer.status === 503) unknown += 1;
      else others.add(answer.status);
      return isHeld;
    };
    const caller = async (): Promise<void> => {
      while (!isOver && performance.now() < until) await ask(noisy);
    };
    const flood = Promise.all(Array.from({ length: CALLERS }, caller));
    while (held.length === 0 && performance.now() < until) await pause(50);
    // Well within what each key may send while alerts wait.
    for (let asked = 0; asked < 10; asked += 1) expect(await ask(quiet)).toBe(false);
    isOver = true;
    await flood;
    expect(held.length).toBeGreaterThan(0);
    expect(Math.min(...held.map(({ retryAfter }) => retryAfter))).toBeGreaterThan(0);
    expect([...others]).toEqual([]);
    expect(accepted).toBeGreaterThan(20);
    await system.settle();
    const { count } = await system.api.read<{ count: number }>(`/v2/alerts/count?query=entity%3D"${alert.entity}"`);
    expect(count).toBeGreaterThanOrEqual(accepted);
    expect(count).toBeLessThanOrEqual(accepted + unknown);
  });
});
