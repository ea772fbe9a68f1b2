import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { staleAgeMs } from './data-age.ts';
import { LIVE } from './use-changes.ts';

const refused = (status: number) => new CallError({ status, message: 'No.' });

const read = (
  at: number,
  { error = null, isActive = true, meta = LIVE }: { error?: Error | null; isActive?: boolean; meta?: object } = {},
) => ({ meta: { ...meta }, isActive: () => isActive, state: { dataUpdatedAt: at, error } });

describe('the age of what a page shows', () => {
  test('Data that was read up to 12 s ago is fresh, older data has its age.', () => {
    expect(staleAgeMs([read(1_000)], 13_000)).toBeUndefined();
    expect(staleAgeMs([read(1_000)], 13_001)).toBe(12_001);
  });

  test('The oldest data counts, whatever was read after it.', () => {
    expect(staleAgeMs([read(60_000), read(20_000)], 60_000)).toBe(40_000);
  });

  test.each([0, 429, 500, 502, 503, 504])('Data whose reads end with %p gets old.', (status) => {
    expect(staleAgeMs([read(1_000, { error: refused(status) })], 41_000)).toBe(40_000);
  });

  test('Data gets old while no answer comes and no error either.', () => {
    expect(staleAgeMs([read(1_000)], 41_000)).toBe(40_000);
  });

  test('Data that the page does not show, or does not keep up to date, has no age here.', () => {
    const queries = [
      read(1_000, { isActive: false }),
      read(1_000, { meta: {} }),
      read(0),
      read(1_000, { error: refused(403) }),
      read(1_000, { error: refused(404) }),
    ];

    expect(staleAgeMs(queries, 60_000)).toBeUndefined();
    expect(staleAgeMs([], 60_000)).toBeUndefined();
  });
});
