import { afterEach, describe, expect, test } from '@jest/globals';
import { call } from './call.ts';
import { aheadAfter, serverTime } from './server-clock.ts';

const SECOND = 1_000;
const DATE = 'Mon, 05 Jan 2026 08:00:00 GMT';
const AT = Date.UTC(2026, 0, 5, 8, 0);

/** An answer with {@link DATE} whose request began at an instant of the device and took so long. */
const dated = (requestedAt: number, tookMs = 0) => ({ date: DATE, requestedAt, answeredAt: requestedAt + tookMs });

describe('how far the clock of the server is ahead', () => {
  test.each([-600, -7, 5, 600])('A difference of %p s is learned to the second.', (seconds) => {
    expect(Math.abs(aheadAfter(0, dated(AT - seconds * SECOND)) - seconds * SECOND)).toBeLessThan(SECOND);
  });

  test('It stays where an answer allows it: a `Date` has no parts of a second, and a slow answer says little.', () => {
    expect(aheadAfter(0, dated(AT))).toBe(0);
    expect(aheadAfter(0, dated(AT + 999))).toBe(0);
    expect(aheadAfter(0, dated(AT - 20 * SECOND, 30 * SECOND))).toBe(0);
    expect(aheadAfter(5_400, dated(AT - 5 * SECOND))).toBe(5_400);
  });

  test('It follows a clock that was set right.', () => {
    expect(Math.abs(aheadAfter(600 * SECOND, dated(AT)))).toBeLessThan(SECOND);
  });

  test.each([null, '', 'soon'])('An answer with the date %j says nothing.', (date) => {
    expect(aheadAfter(5_400, { ...dated(AT), date })).toBe(5_400);
  });
});

describe('the clock of the server', () => {
  const originalFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = originalFetch;
  });

  test.each([200, 404, 503])('Each answer of a call tells it, also one with the status %p.', async (status) => {
    const answer = (date: string) => Promise.resolve(Response.json({}, { status, headers: { Date: date } }));
    globalThis.fetch = () => answer('Mon, 05 Jan 2099 08:00:00 GMT');
    await call({ path: '/v2/alerts' }).catch(() => undefined);

    expect(new Date(serverTime(Date.now())).getUTCFullYear()).toBe(2099);

    globalThis.fetch = () => answer(DATE);
    await call({ path: '/v2/alerts' }).catch(() => undefined);

    expect(new Date(serverTime(Date.now())).getUTCFullYear()).toBe(2026);
  });
});
