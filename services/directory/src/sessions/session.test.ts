import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AGE_LIMIT_MS,
  browserOf,
  hasEnded,
  IDLE_LIMIT_MS,
  sessionEnd,
  surplus,
  type UserSession,
  withUse,
} from './session.ts';

const start = new Date('2026-01-01T00:00:00Z');
const after = (milliseconds: number): Date => new Date(start.getTime() + milliseconds);
const session: UserSession = {
  id: 's1',
  userId: 'ada',
  tokenHash: 'hash',
  createdAt: start,
  lastUsedAt: start,
  address: '192.0.2.7',
  browser: 'Firefox on Linux',
  version: { epoch: 1, n: 1 },
};

describe('a session (K21)', () => {
  it('ends seven days after its last use, to the millisecond', () => {
    expect(hasEnded(session, after(IDLE_LIMIT_MS - 1))).toBe(false);
    expect(hasEnded(session, after(IDLE_LIMIT_MS))).toBe(true);
    const used = withUse(session, after(1_000), after(2_000));
    expect(sessionEnd(used)).toEqual(after(IDLE_LIMIT_MS + 1_000));
    expect(used.version).toEqual({ epoch: 1, n: 2 });
  });

  it('never lasts longer than thirty days, however it is used', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 * IDLE_LIMIT_MS })), (pauses) => {
        let [now, used] = [0, session];
        for (const pause of pauses) {
          now += pause;
          used = withUse(used, after(now), after(now));
          expect(hasEnded(used, after(Math.max(now, AGE_LIMIT_MS)))).toBe(true);
        }
      }),
    );
  });

  it('is not restored by a use after its end, nor extended by a known use, nor by one in the future', () => {
    expect(withUse(session, after(1), after(IDLE_LIMIT_MS))).toBe(session);
    expect(withUse(session, start, after(1))).toBe(session);
    expect(withUse(session, after(AGE_LIMIT_MS), after(5)).lastUsedAt).toEqual(after(5));
  });
});

describe('the sessions of one person', () => {
  it('are at most twenty: those that were not used for the longest time end', () => {
    const sessions = Array.from({ length: 22 }, (_, index) => ({
      ...session,
      id: `s${index}`,
      lastUsedAt: after(index),
    }));
    expect(surplus(sessions).map(({ id }) => id)).toEqual(['s2', 's1', 's0']);
    expect(surplus(sessions.slice(0, 19))).toEqual([]);
  });
});

describe('browserOf', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'Unknown browser'],
    ['<b>Pay here</b>\r\nhttps://mallory.example.com Firefox/1 Windows', 'Firefox on Windows'],
    [`${'x'.repeat(600)} Firefox/1 Windows`, 'Unknown browser'],
    [undefined, 'Unknown browser'],
  ])('reads %s as %s', (userAgent, name) => {
    expect(browserOf(userAgent)).toBe(name);
  });
});
