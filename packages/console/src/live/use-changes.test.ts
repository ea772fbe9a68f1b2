import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { LIVE, pauseMs, queriesToRead } from './use-changes.ts';

interface Given {
  readonly isShown?: boolean;
  readonly isReading?: boolean;
  readonly live?: boolean;
  readonly error?: CallError;
}

function queriesOf(names: Readonly<Record<string, Given>>) {
  const client = new QueryClient();
  for (const [name, { error, isReading = false, isShown = true, live = true }] of Object.entries(names)) {
    const options = { queryKey: [name], queryFn: () => name, enabled: isShown, ...(live && { meta: LIVE }) };
    client.setQueryData(options.queryKey, name);
    // Data that is never stale is not read again.
    new QueryObserver(client, { ...options, staleTime: Infinity }).subscribe(() => undefined);
    const query = client.getQueryCache().find({ queryKey: [name] });
    query?.setState({ ...query.state, error: error ?? null, fetchStatus: isReading ? 'fetching' : 'idle' });
  }
  return client.getQueryCache().getAll();
}

const namesToRead = (names: Readonly<Record<string, Given>>) =>
  queriesToRead(queriesOf(names)).map(({ queryKey }) => queryKey[0]);

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: 'No.', retryAfterSeconds });

describe('what is read again', () => {
  test('It is what the page shows and keeps up to date, once at a time.', () => {
    const names = namesToRead({
      alert: {},
      log: { isShown: false },
      session: { live: false },
      slow: { isReading: true },
    });

    expect(names).toEqual(['alert']);
  });

  test.each([0, 401, 403, 404, 429, 500, 503])('A read that ended with %p is tried again.', (status) => {
    expect(namesToRead({ alert: { error: refused(status) } })).toEqual(['alert']);
  });

  test('A query that the server refuses for what it asks is not read again.', () => {
    expect(namesToRead({ search: { error: refused(422) } })).toEqual([]);
  });
});

describe('the pause between reads', () => {
  test('It is the longest wait that the answers to what the page shows ask for.', () => {
    const queries = queriesOf({
      alert: { error: refused(429, 7) },
      calls: { error: refused(503, 30) },
      hidden: { error: refused(429, 60), isShown: false },
    });

    expect(pauseMs(queries)).toBe(30_000);
  });

  test('Without such an answer there is none.', () => {
    expect(pauseMs(queriesOf({ alert: {}, calls: { error: refused(503) } }))).toBe(0);
    expect(pauseMs([])).toBe(0);
  });
});
