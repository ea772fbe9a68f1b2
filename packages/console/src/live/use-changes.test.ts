import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { LIVE, nextToRead } from './use-changes.ts';

function clientWith(queries: Readonly<Record<string, { at: number; live?: boolean; isShown?: boolean }>>): QueryClient {
  const client = new QueryClient();
  for (const [name, { at, isShown = true, live = true }] of Object.entries(queries)) {
    const options = { queryKey: [name], queryFn: () => name, enabled: isShown, ...(live && { meta: LIVE }) };
    client.setQueryData(options.queryKey, name, { updatedAt: at });
    // Data that is never stale is not read again.
    new QueryObserver(client, { ...options, staleTime: Infinity }).subscribe(() => undefined);
  }
  return client;
}

const next = (client: QueryClient) => nextToRead(client.getQueryCache().getAll())?.queryKey[0];

describe('which query is read next', () => {
  test('It is the one that was read the longest time ago.', () => {
    expect(next(clientWith({ alert: { at: 30 }, log: { at: 20 }, notes: { at: 25 } }))).toBe('log');
  });

  test('Queries that are not live, and those that no page shows, are not read.', () => {
    const client = clientWith({ log: { at: 3, isShown: false }, session: { at: 1, live: false }, alert: { at: 30 } });

    expect(next(client)).toBe('alert');
  });

  test('Where no query is live, none is read.', () => {
    expect(next(clientWith({ session: { at: 1, live: false } }))).toBeUndefined();
  });
});
