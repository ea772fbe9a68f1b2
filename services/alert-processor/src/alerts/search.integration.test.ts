import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matches, parseQuery, decidedByIndex, type IdsOf } from '@tocsin/rules';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { casesOf } from '@tocsin/testkit';
import type { Alert } from './alert.ts';
import type { Search } from './listing.ts';
import { alertDocument } from './document.ts';
import { listed, selected, sorting } from './selection-store.ts';
import { ALERTS, OPEN_ALIAS, SORTED } from '../database.ts';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { AlertReader } from './reader-store.ts';
import { anyAlert, anySearch } from '../testing/search-samples.ts';

const [ALERT_COUNT, SEARCH_COUNT] = casesOf({ usual: [400, 200], deep: [5_000, 500] } as const);

const opened: Connection[] = [];
const idsOf: IdsOf = (_field, value) => (value === 'Ops' ? ['Ops', 'ops'] : [value]);

async function holding(alerts: readonly Alert[]) {
  const connection = await openDatabase();
  opened.push(connection);
  const collection = collectionOf<{ _id: string }>(connection, ALERTS);
  await collection.dropIndex(OPEN_ALIAS);
  await collection.insertMany(alerts.map(alertDocument));
  return { collection, reader: new AlertReader(connection) };
}

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

const read = (text: string): Search => {
  const parsed = parseQuery(text);
  if (parsed.kind === 'refused' || parsed.query === undefined) throw new TypeError(`${text} is no search`);
  return { query: parsed.query, idsOf };
};

const [sample] = fc.sample(anyAlert, { numRuns: 1, seed: 7 }) as [Alert];

const indexed = holding([sample]);

describe('a search in MongoDB', () => {
  it('finds exactly the alerts that its query matches', async () => {
    const drawn = fc.sample(anyAlert, ALERT_COUNT).map((alert, index) => ({ ...alert, tinyId: index + 1 }));
    const { reader } = await holding(drawn);
    let most = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, fc.constantFrom('tinyId', 'createdAt'), async (text, sort) => {
        const search = read(text);
        const found = drawn.filter((alert) => matches(search.query, alert, idsOf));
        if (sort === 'createdAt') found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
        const wanted = found.map(({ id }) => id);
        const listing = { teamId: undefined, search, offset: 0, limit: ALERT_COUNT, sort, order: 'asc' } as const;
        expect((await reader.list(listing)).map(({ id }) => id)).toEqual(wanted);
        most = Math.max(most, wanted.length);
      }),
      { numRuns: SEARCH_COUNT },
    );
    expect(most).toBeGreaterThan(0);
  });

  it('counts by index keys alone, without reading an alert, if they suffice', async () => {
    const { collection } = await indexed;
    const byIndex = fc.sample(anySearch, SEARCH_COUNT).filter((text) => decidedByIndex(read(text).query));
    for (const text of ['tag:(db OR web)', 'status:open', 'createdAt>1', 'tinyId>=1', 'responders:ops', ...byIndex]) {
      const count = { count: ALERTS, query: selected({ search: read(text), teamId: undefined }) };
      const plan = JSON.stringify(await collection.db.command({ explain: count, verbosity: 'queryPlanner' }));
      expect(`${text}: ${plan}`).not.toMatch(/"stage":"(FETCH|COLLSCAN)"/);
    }
  });

  it('reads the usual lists through an index, with and without a filter', async () => {
    const { collection } = await indexed;
    const everything = { search: undefined, teamId: undefined };
    const filters = [
      everything,
      { search: read('status:open'), teamId: undefined },
      { search: undefined, teamId: 'red' },
      { search: read('status:open AND acknowledged:false'), teamId: 'red' },
    ];
    for (const sort of ['createdAt', 'tinyId', ...SORTED] as const) {
      for (const [filter, direction] of filters.flatMap((each) => [[each, 1] as const, [each, -1] as const])) {
        const found = collection.find(listed(filter, sort)).sort(sorting(sort, direction)).limit(20);
        const plan = JSON.stringify(await found.explain('queryPlanner'));
        expect(plan).toContain('"stage":"IXSCAN"');
        expect(plan).not.toContain('"stage":"COLLSCAN"');
        // Without a filter, the index also gives the order.
        expect(filter === everything && plan.includes('"stage":"SORT"')).toBe(false);
      }
    }
  });

  it.each([
    ...['status:open', 'priority:P1', 'owner:a', 'tag:a', 'details.key:a', 'details.host:a', 'teams:a', 'responders:a'],
    ...[
      'entity:a',
      'entity:a*',
      'alias:a',
      'source:a',
      'tag:a*',
      'details.host:a*',
      'details.key:a*',
      'alertId:a',
      'tinyId:1',
      'createdAt>1',
      'disk',
      'dis*',
      'message:disk',
    ],
  ])('finds by %s through an index', async (text) => {
    const { collection } = await indexed;
    const found = collection.find(selected({ search: read(text), teamId: undefined }));
    const plan = JSON.stringify(await found.explain('queryPlanner'));
    expect(plan).toContain('"stage":"IXSCAN"');
    expect(plan).not.toContain('"stage":"COLLSCAN"');
  });
});
