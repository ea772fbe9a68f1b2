import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { staleAgeMs } from '../live/data-age.ts';
import { isLive, isNamed } from '../live/live-queries.ts';
import { userExplanationQuery } from './queries.ts';

const AT = Date.UTC(2026, 0, 5, 8, 0);
const client = new QueryClient();
let close: () => void;

beforeEach(() => {
  const options = userExplanationQuery('alert-1', 'grace@example.com');
  client.setQueryData(options.queryKey, { data: { users: [], steps: [], truncated: false } } as never, {
    updatedAt: AT,
  });
  close = new QueryObserver(client, { ...options, staleTime: Infinity }).subscribe(() => undefined);
});
afterEach(() => {
  close();
  client.clear();
});

const queries = () => client.getQueryCache().getAll();

describe('the explanation that a page shows', () => {
  test('It is read again as other data of the page, and at once when its alert changes.', () => {
    expect(queries().map(isLive)).toEqual([true]);
    expect(queries().map((query) => isNamed(query, { alerts: [{ id: 'alert-1', version: '7' }] }))).toEqual([true]);
    expect(queries().map((query) => isNamed(query, { alerts: [{ id: 'alert-2', version: '7' }] }))).toEqual([false]);
  });

  test('The page says how old it is where it is not read again.', () => {
    expect(staleAgeMs(queries(), AT + 40_000, false)).toBe(40_000);
  });

  test.each([
    [404, false],
    [422, false],
    [403, true],
    [503, true],
  ])('After a refusal with %p, that it is read again by itself is %p.', (status, isRead) => {
    const fields = status === 422 ? { user: 'is too long' } : {};
    const [query] = queries();
    query?.setState({ ...query.state, error: new CallError({ status, message: 'No.', fields }) });

    expect(queries().map(isLive)).toEqual([isRead]);
  });

  test('Before a person is named nothing is read.', () => {
    const unsubscribe = new QueryObserver(client, userExplanationQuery('alert-1', undefined)).subscribe(
      () => undefined,
    );

    expect(queries().map(isLive)).toEqual([true, false]);
    unsubscribe();
  });
});
