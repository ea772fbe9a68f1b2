import { afterEach, describe, expect, test } from '@jest/globals';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { allQuery, searchAfter } from './queries.ts';

const SECOND = Date.UTC(2026, 0, 31, 8) / 1_000;
const LIMIT = 100;

interface Stored {
  readonly id: string;
  readonly tinyId: string;
  readonly createdAt: string;
}
const stored = (second: number, number: number): Stored => ({
  id: `alert-${number}`,
  tinyId: String(number),
  createdAt: new Date((SECOND + second) * 1_000).toISOString(),
});
const idsOf = (alerts: readonly Stored[]) => alerts.map(({ id }) => id);

const originalFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = originalFetch;
});

/** The alerts of a page, as the API lists them. */
function page(
  alerts: readonly Stored[],
  query: string,
): { readonly data: readonly Stored[]; readonly hasMore: boolean } {
  const [, at, number] = /createdAt<=(\d+) AND \(createdAt<\1 OR tinyId<(\d+)\)$/.exec(query) ?? [];
  const found = alerts
    .filter(({ createdAt, tinyId }) => {
      if (at === undefined) return true;
      return (
        Date.parse(createdAt) < Number(at) || (Date.parse(createdAt) === Number(at) && Number(tinyId) < Number(number))
      );
    })
    .toSorted(
      (one, other) =>
        Date.parse(other.createdAt) - Date.parse(one.createdAt) || Number(other.tinyId) - Number(one.tinyId),
    );
  return { data: found.slice(0, LIMIT), hasMore: found.length > LIMIT };
}

/** Reads all pages of a search whose alerts are those that `alertsAt` gives at each read. */
async function readAll(alertsAt: (read: number) => readonly Stored[]): Promise<readonly Stored[]> {
  let reads = 0;
  globalThis.fetch = (url) => {
    const query = new URL(url as string, 'http://localhost').searchParams.get('query') ?? '';
    const { data, hasMore } = page(alertsAt(reads), query);
    reads += 1;
    return Promise.resolve(Response.json({ data, paging: hasMore ? { next: 'http://localhost/next' } : {} }));
  };
  const client = new QueryClient();
  const list = new InfiniteQueryObserver(client, { ...allQuery('status:open'), enabled: false });
  await list.refetch();
  while (list.getCurrentResult().hasNextPage) await list.fetchNextPage();
  const { data: all } = list.getCurrentResult();
  client.clear();
  return all?.pages.flatMap(({ data }) => data) ?? [];
}

describe('a list that is read page by page', () => {
  test('Each alert that is in the search all the time is listed once, while others come and leave.', async () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 250, maxLength: 350 });
    const leaving = fc.array(fc.nat(349), { maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(seconds, leaving, fc.nat(120), async (all, numbers, coming) => {
        const first = all.map((second, index) => stored(second, index));
        const gone = new Set(numbers.map((number) => `alert-${number}`));
        const stay = first.filter(({ id }) => !gone.has(id));
        const come = Array.from({ length: coming }, (_, index) => stored(1_000 + index, 1_000 + index));
        const listed = idsOf(await readAll((read) => (read === 0 ? first : [...stay, ...come])));

        expect(listed).toEqual([...new Set(listed)]);
        expect(listed).toEqual(expect.arrayContaining(idsOf(stay)));
      }),
      { numRuns: 30 },
    );
  });

  test('Alerts of one instant are listed once, however many there are.', async () => {
    const alerts = Array.from({ length: 250 }, (_, index) => stored(0, index));

    expect(idsOf(await readAll(() => alerts))).toEqual(idsOf(alerts.toReversed()));
  });

  test('The search for the next page keeps that of the person together, and may have none.', () => {
    const last = { tinyId: '7', createdAt: new Date(5_000).toISOString() };
    const after = 'createdAt<=5000 AND (createdAt<5000 OR tinyId<7)';

    expect(searchAfter('tag:a OR tag:b', last)).toBe(`(tag:a OR tag:b) AND ${after}`);
    expect(searchAfter(' ', last)).toBe(after);
    expect(searchAfter('tag:a', undefined)).toBe('tag:a');
  });
});
