import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_LIST_DEPTH, CountAlertsQuery, ListAlertsQuery } from '@tocsin/api';
import { InvalidError, NotFoundError } from '@tocsin/core';
import { pageUrls } from '@tocsin/http';
import type { AlertListing } from './listing.ts';
import { anyAlert } from '../testing/search-samples.ts';
import { ReadAlerts, type ReadAlertsDependencies } from './operations.ts';

import { EMPTY_DIRECTORY } from '../testing/directory-samples.ts';

type Reader = ReadAlertsDependencies['reader'];

const EMPTY: Reader = {
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  count: () => Promise.resolve(0),
  estimate: () => Promise.resolve(0),
  logs: () => Promise.resolve([]),
  notes: () => Promise.resolve([]),
  recipients: () => Promise.resolve([]),
};

/** A reader that counts `held` alerts, whatever is asked for. */
const crowded = (held: number): Reader => ({
  ...EMPTY,
  count: (_, most) => Promise.resolve(Math.min(most, held)),
  estimate: () => Promise.resolve(held),
});

const commands = { waitUntilProcessed: () => Promise.resolve(false) };

const searches = { get: () => Promise.reject(new NotFoundError('none')) };

const reading = (held: number) =>
  new ReadAlerts({ reader: crowded(held), directory: EMPTY_DIRECTORY, searches, commands });

describe('a list of more alerts than can be paged', () => {
  it('links only to pages that may be requested', async () => {
    const alerts = reading(10_000_000);
    const limits = fc.integer({ min: 1, max: 100 });
    const offsets = fc.oneof(
      fc.nat(ALERT_LIST_DEPTH),
      fc.integer({ min: ALERT_LIST_DEPTH - 250, max: ALERT_LIST_DEPTH }),
    );
    await fc.assert(
      fc.asyncProperty(limits, offsets, async (limit, offset) => {
        fc.pre(offset + limit < ALERT_LIST_DEPTH);
        const query = ListAlertsQuery.parse({ limit: String(limit), offset: String(offset) });
        const { total } = await alerts.list(query, undefined);
        const urls = pageUrls({ publicUrl: 'http://a', path: '/v2/alerts', query: {}, offset, limit, total });
        for (const url of Object.values(urls) as string[])
          expect(ListAlertsQuery.safeParse(Object.fromEntries(new URL(url).searchParams)).success).toBe(true);
      }),
    );
  });
});

describe('a list that is not counted to its end', () => {
  const open = async (store: Reader, asked: object, teamId?: string) => {
    const alerts = new ReadAlerts({ reader: store, directory: EMPTY_DIRECTORY, searches, commands });
    return alerts.list(ListAlertsQuery.parse(asked), teamId);
  };

  it('has a next page if there is one more alert, even if counting took too long', async () => {
    const store = { ...EMPTY };
    store.count = () => Promise.reject(new InvalidError('The query takes too long.'));
    store.list = ({ limit }: AlertListing) => Promise.resolve(fc.sample(anyAlert, limit));
    expect(await open(store, { limit: '10', offset: '20' })).toMatchObject({ total: 31 });
    store.list = ({ limit }: AlertListing) => Promise.resolve(fc.sample(anyAlert, limit - 1));
    expect(await open(store, { limit: '10', offset: '20' })).toMatchObject({ total: 30 });
  });

  it('names no last page if the requested page is beyond the end', async () => {
    const store = { ...EMPTY };
    store.list = () => Promise.resolve([]);
    store.count = () => Promise.resolve(7);
    expect(await open(store, { limit: '10', offset: '200' })).toEqual({ alerts: [], total: 7 });
    expect(await open(store, { limit: '10', offset: '200', query: 'count:3' })).toEqual({ alerts: [], total: 0 });
  });

  it.each(['', 'status:open', 'tag:(db OR web)'])(
    'is counted for the query [%s] to 2 000 beyond its page',
    async (query) => {
      const store = crowded(10_000_000);
      expect(await open(store, { query, limit: '10', offset: '20' })).toMatchObject({ total: 2_030 });
    },
  );

  it.each(['status:open AND tag:db', '"disk full"', 'count:3'])(
    'is not counted if alerts have to be read for it, as for the query [%s]',
    async (query) => {
      const store = { ...EMPTY };
      store.count = () => Promise.reject(new TypeError('was counted'));
      store.list = ({ limit }: AlertListing) => Promise.resolve(fc.sample(anyAlert, limit));
      expect(await open(store, { query, limit: '10', offset: '20' })).toMatchObject({ total: 31 });
    },
  );

  it('is counted for the key of a team if there is no query', async () => {
    const store = crowded(10_000_000);
    expect(await open(store, { limit: '10' }, 'red')).toMatchObject({ total: 2_010 });
    expect(await open(store, { limit: '10', query: 'status:open' }, 'red')).toMatchObject({ total: 0 });
  });
});

describe('the number of alerts', () => {
  it('is exact up to 100 000 and an estimate beyond', async () => {
    expect(await reading(99_999).count(CountAlertsQuery.parse({}), undefined)).toBe(99_999);
    expect(await reading(3_000_000).count(CountAlertsQuery.parse({}), undefined)).toBe(3_000_000);
  });

  it('is exact for a team', async () => {
    expect(await reading(150_000).count(CountAlertsQuery.parse({}), 'red')).toBe(150_000);
  });
});
