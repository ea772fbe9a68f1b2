import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { staleAgeMs } from './data-age.ts';
import { liveOptions } from './live-queries.ts';

const { meta: LIVE } = liveOptions({ kinds: ['alerts'] });

const refused = (status: number) => new CallError({ status, message: 'No.' });

const read = (
  at: number,
  { error = null, isActive = true, meta = LIVE }: { error?: Error | null; isActive?: boolean; meta?: object } = {},
) => ({ meta: { ...meta }, isActive: () => isActive, state: { dataUpdatedAt: at, error } });

describe('the age of what a page shows', () => {
  test('Data that was read up to 12 s ago is fresh, older data has its age.', () => {
    expect(staleAgeMs([read(1_000)], 13_000, false)).toBeUndefined();
    expect(staleAgeMs([read(1_000)], 13_001, false)).toBe(12_001);
  });

  test('The oldest data counts, whatever was read after it.', () => {
    expect(staleAgeMs([read(60_000), read(20_000)], 60_000, false)).toBe(40_000);
  });

  test.each([0, 429, 500, 502, 503, 504])('Data whose reads end with %p gets old.', (status) => {
    expect(staleAgeMs([read(1_000, { error: refused(status) })], 41_000, false)).toBe(40_000);
  });

  test('Data gets old while no answer comes and no error either.', () => {
    expect(staleAgeMs([read(1_000)], 41_000, false)).toBe(40_000);
  });

  test('Data that the page does not show, or does not keep up to date, has no age here.', () => {
    const queries = [
      read(1_000, { isActive: false }),
      read(1_000, { meta: {} }),
      read(0),
      read(1_000, { error: refused(403) }),
      read(1_000, { error: refused(404) }),
    ];

    expect(staleAgeMs(queries, 60_000, false)).toBeUndefined();
    expect(staleAgeMs([], 60_000, false)).toBeUndefined();
  });

  test('With hints about changes it is read less often, so up to 32 s are fresh.', () => {
    expect(staleAgeMs([read(1_000)], 33_000, true)).toBeUndefined();
    expect(staleAgeMs([read(1_000)], 33_001, true)).toBe(32_001);
  });

  test('With hints too, data whose last read failed gets old after 12 s.', () => {
    expect(staleAgeMs([read(1_000, { error: refused(503) }), read(0)], 14_000, true)).toBe(13_000);
  });
});
