import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { LIVE, ReadOrder } from './use-changes.ts';

function queriesOf(names: Readonly<Record<string, { live?: boolean; isShown?: boolean }>>) {
  const client = new QueryClient();
  for (const [name, { isShown = true, live = true }] of Object.entries(names)) {
    const options = { queryKey: [name], queryFn: () => name, enabled: isShown, ...(live && { meta: LIVE }) };
    client.setQueryData(options.queryKey, name);
    // Data that is never stale is not read again.
    new QueryObserver(client, { ...options, staleTime: Infinity }).subscribe(() => undefined);
  }
  return client.getQueryCache().getAll();
}

describe('which query is read next', () => {
  test('It is each in the order of the page, and then the first again.', () => {
    const order = new ReadOrder();
    const queries = queriesOf({ alert: {}, log: {}, notes: {} });

    expect(Array.from({ length: 4 }, () => order.next(queries)?.queryKey[0])).toEqual([
      'alert',
      'log',
      'notes',
      'alert',
    ]);
  });

  test('A query that a page shows later is read before those that were read.', () => {
    const order = new ReadOrder();
    order.next(queriesOf({ alert: {} }));

    expect(order.next(queriesOf({ alert: {}, log: {} }))?.queryKey[0]).toBe('log');
  });

  test('Queries that are not live, and those that no page shows, are not read.', () => {
    const queries = queriesOf({ log: { isShown: false }, session: { live: false } });

    expect(new ReadOrder().next(queries)).toBeUndefined();
  });

  test('A query that the server refuses for what it asks is not read again.', () => {
    const queries = queriesOf({ search: {} });
    const [query] = queries;
    query?.setState({ ...query.state, error: new CallError({ status: 422, message: 'No.' }) });

    expect(new ReadOrder().next(queries)).toBeUndefined();
  });
});
