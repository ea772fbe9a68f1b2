import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageUrls } from './index.ts';

const at = (offset: number, limit: number, total: number) =>
  pageUrls({
    publicUrl: 'https://tocsin.example.com',
    path: '/v2/users',
    query: { query: 'role:admin x', sort: undefined },
    offset,
    limit,
    total,
  });
const offsetOf = (url: string) => Number(new URL(url).searchParams.get('offset'));

describe('pageUrls', () => {
  it('keeps what was asked for, in absolute URLs (A12)', () => {
    expect(at(2, 2, 5)).toEqual({
      first: 'https://tocsin.example.com/v2/users?query=role%3Aadmin+x&offset=0&limit=2',
      last: 'https://tocsin.example.com/v2/users?query=role%3Aadmin+x&offset=4&limit=2',
      prev: 'https://tocsin.example.com/v2/users?query=role%3Aadmin+x&offset=0&limit=2',
      next: 'https://tocsin.example.com/v2/users?query=role%3Aadmin+x&offset=4&limit=2',
    });
  });

  it('has no next on the last page and no prev on the first', () => {
    expect(at(4, 2, 5)).not.toHaveProperty('next');
    expect(at(0, 2, 5)).not.toHaveProperty('prev');
    expect(Object.keys(at(0, 20, 0))).toEqual(['first', 'last']);
  });

  it('visits each item once when next is followed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 100 }), (total, limit) => {
        const seen: number[] = [];
        let offset: number | undefined = 0;
        while (offset !== undefined) {
          for (let item = offset; item < Math.min(offset + limit, total); item += 1) seen.push(item);
          const { next }: { next?: string } = at(offset, limit, total);
          offset = next === undefined ? undefined : offsetOf(next);
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, item) => item));
      }),
    );
  });
});
