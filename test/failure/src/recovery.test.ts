import { describe, expect, it } from '@jest/globals';
import { areFast, recovery, type TimedPage } from './recovery.ts';

const page = (dueAt: number, tookMs: number): TimedPage => ({ what: String(dueAt), dueAt, tookMs });
/** A page each second from `from` to before `until`. */
const pages = (from: number, until: number, tookMs: number): readonly TimedPage[] =>
  Array.from({ length: (until - from) / 1_000 }, (_, index) => page(from + index * 1_000, tookMs));

const FAULT_AT = 5_000;

describe('the recovery', () => {
  it('lasts until the first eight seconds in which no page is slow', () => {
    const all = [...pages(6_000, 9_000, 9_000), page(9_000, 2_000), ...pages(9_200, 18_200, 1_999)];
    expect(recovery(all, FAULT_AT)).toBe(4_200);
  });

  it('is over at once where no page that is due after the fault is slow', () => {
    expect(recovery([page(4_000, 9_000), ...pages(5_500, 14_500, 500)], FAULT_AT)).toBe(0);
  });

  it('is not longer because of a page that is slow later', () => {
    const all = [...pages(6_000, 9_000, 9_000), ...pages(9_000, 20_000, 500), page(20_000, 3_000)];
    expect(recovery(all, FAULT_AT)).toBe(4_000);
  });

  it('begins anew where a page is slow within these eight seconds', () => {
    const all = [...pages(6_000, 12_000, 500), page(12_000, 2_500), ...pages(13_000, 22_000, 500)];
    expect(recovery(all, FAULT_AT)).toBe(8_000);
  });

  it('goes on while no page is due, because alerts are refused', () => {
    expect(recovery([...pages(5_000, 7_000, 500), ...pages(25_000, 34_000, 500)], FAULT_AT)).toBe(20_000);
  });

  it('is unknown where pages are slow to the end, did not come, are too few, or none is due after the fault', () => {
    const slow = pages(5_000, 30_000, 2_000);
    const missing = [...pages(5_000, 12_000, 500), page(12_000, Infinity)];
    for (const all of [slow, missing, pages(5_000, 12_000, 500), [page(4_000, 500)], []])
      expect(recovery(all, FAULT_AT)).toBeUndefined();
  });
});

describe('pages are fast', () => {
  const NOW = 100_000;
  const FAST = pages(90_000, 98_000, 500);

  it('where all of the last eight seconds took less than two', () => {
    expect(areFast(FAST, 90_000, NOW)).toBe(true);
    expect(areFast([...FAST, page(99_000, Infinity)], 90_000, NOW)).toBe(true);
  });

  it.each([
    ['one of them took two seconds', [...FAST, page(90_500, 2_000)], 90_000],
    ['none was due', [page(80_000, 500)], 80_000],
    ['the seconds began before the instant that is asked about', FAST, 90_001],
    ['a page that was due earlier has not come', [...FAST, page(50_000, Infinity)], 90_000],
  ])('not where %s', (_, all, since) => {
    expect(areFast(all, since, NOW)).toBe(false);
  });

  it('where a page has not come for a minute, because that one is missing', () => {
    expect(areFast([...FAST, page(39_999, Infinity)], 90_000, NOW)).toBe(true);
  });
});
