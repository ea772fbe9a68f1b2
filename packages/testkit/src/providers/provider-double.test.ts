import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { startMessageGateway } from './gateway-double.ts';

const post = (url: string): Promise<Response> => fetch(url, { method: 'POST', body: 'hello' });

describe('a double of a provider', () => {
  it('takes messages, gives each to one who asks, and names the rest', async () => {
    const double = await startMessageGateway();
    const accepted: string[] = [];
    double.onAccepted(({ path }) => accepted.push(path));
    await post(`${double.url}/a?b=c`);
    await post(`${double.url}/d`);
    expect(accepted).toEqual(['/a', '/d']);
    const first = await double.received(({ path }) => path === '/a');
    expect(first).toMatchObject({ method: 'POST', body: 'hello' });
    expect(first.query.get('b')).toBe('c');
    expect(double.unexpected().map(({ path }) => path)).toEqual(['/d']);
    await expect(double.received(({ path }) => path === '/a', { timeoutMs: 1 })).rejects.toThrow('No such message');
    await double.stop();
  });

  it('does with each request as it was set, and then as always', async () => {
    const double = await startMessageGateway();
    double.next({ refuse: 429, headers: { 'retry-after': '7' } }, { close: 'before' }, { close: 'half-way' });
    const refused = await post(double.url);
    expect([refused.status, refused.headers.get('retry-after'), double.taken.length]).toEqual([429, '7', 0]);
    await expect(post(double.url)).rejects.toThrow();
    expect(double.taken).toHaveLength(0);
    const half = await post(double.url);
    await expect(half.text()).rejects.toThrow();
    expect(double.taken).toHaveLength(1);
    expect(await (await post(double.url)).text()).toBe('OK 4');
    double.always({ refuse: 500 });
    expect((await post(double.url)).status).toBe(500);
    expect([double.taken.length, double.requests.length]).toEqual([2, 5]);
    await double.stop();
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('answers no request that hangs %s it was taken', async (when, taken) => {
    const double = await startMessageGateway();
    double.next({ hang: when });
    const caller = new AbortController();
    const answer = fetch(double.url, { signal: caller.signal });
    await eventually(() => {
      expect(double.requests).toHaveLength(1);
    });
    caller.abort(new Error('This caller gave up.'));
    await expect(answer).rejects.toThrow('This caller gave up.');
    expect(double.taken).toHaveLength(taken);
    await double.stop();
  });

  it('takes no more in a second than was set', async () => {
    const double = await startMessageGateway();
    double.throttle(0);
    const refused = await post(double.url);
    expect([refused.status, refused.headers.get('retry-after'), double.taken.length]).toEqual([429, '1', 0]);
    double.throttle(Infinity);
    expect((await post(double.url)).status).toBe(200);
    await double.stop();
  });
});
