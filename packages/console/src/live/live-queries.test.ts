import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Changes } from '@tocsin/api';
import { CallError } from '../api/call-error.ts';
import { canRead, type Followed, isLive, isNamed, liveOptions, pauseMs } from './live-queries.ts';

interface Given {
  readonly isShown?: boolean;
  readonly isReading?: boolean;
  readonly live?: boolean;
  readonly follows?: Followed;
  readonly error?: CallError;
}

function queriesOf(names: Readonly<Record<string, Given>>) {
  const client = new QueryClient();
  for (const [name, { error, isReading = false, ...given }] of Object.entries(names)) {
    const { follows = { kinds: ['alerts'] }, isShown = true, live = true } = given;
    const options = {
      queryKey: [name],
      queryFn: () => name,
      enabled: isShown,
      ...(live ? liveOptions(follows) : { meta: { follows } }),
    };
    client.setQueryData(options.queryKey, name);
    // Data that is never stale is not read again.
    new QueryObserver(client, { ...options, staleTime: Infinity }).subscribe(() => undefined);
    const query = client.getQueryCache().find({ queryKey: [name] });
    query?.setState({ ...query.state, error: error ?? null, fetchStatus: isReading ? 'fetching' : 'idle' });
  }
  return client.getQueryCache().getAll();
}

type Queries = ReturnType<typeof queriesOf>;
const namesOf = (queries: Queries) => queries.map(({ queryKey }) => String(queryKey[0]));

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: 'No.', retryAfterSeconds });

describe('what is read again', () => {
  test('It is what the page shows and keeps up to date, once at a time.', () => {
    const queries = queriesOf({
      alert: {},
      log: { isShown: false },
      session: { live: false },
      slow: { isReading: true },
    });

    expect(namesOf(queries.filter(isLive).filter(canRead))).toEqual(['alert']);
  });

  test.each([0, 401, 403, 404, 429, 500, 503])('A read that ended with %p is tried again.', (status) => {
    expect(queriesOf({ alert: { error: refused(status) } }).map(canRead)).toEqual([true]);
  });

  test('A query that the server refuses for what it asks is not read again.', () => {
    expect(queriesOf({ search: { error: refused(422) } }).map(canRead)).toEqual([false]);
  });
});

describe('what hints name', () => {
  const SHOWN = {
    list: {},
    one: { follows: { kinds: ['alerts'], id: 'alert-1' } },
    other: { follows: { kinds: ['alerts'], id: 'alert-2' } },
    hidden: { isShown: false },
    onCall: { follows: { kinds: ['schedules', 'users'] } },
    timeline: { follows: { kinds: ['schedules'], id: 'schedule-1' }, live: false },
  } as const satisfies Record<string, Given>;
  const named = (changes: Changes) => namesOf(queriesOf(SHOWN).filter((query) => isNamed(query, changes)));
  const hint = (id: string) => ({ id, version: '7' });

  test('A change of an entity names what shows it, and what shows all of its kind.', () => {
    expect(named({ alerts: [hint('alert-3'), hint('alert-1')] })).toEqual(['list', 'one']);
    expect(named({ schedules: [hint('schedule-2')] })).toEqual(['onCall']);
    expect(named({ schedules: [hint('schedule-1')], users: [hint('user-1')] })).toEqual(['onCall', 'timeline']);
  });

  test('Many changes of a kind name all that shows the kind.', () => {
    expect(named({ alerts: 'many' })).toEqual(['list', 'one', 'other']);
  });

  test('Changes of other kinds, also of a newer release, name nothing.', () => {
    expect(named({ integrations: 'many', services: 'many' } as Changes)).toEqual([]);
    expect(named({})).toEqual([]);
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
