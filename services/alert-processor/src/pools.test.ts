import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Admission } from '@tocsin/http';
import { SEARCH_TIMEOUT_MS } from './database.ts';
import { newPools, SEARCH_CONNECTIONS, SEARCH_WAIT_MS } from './app.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A list reads alerts and counts them, each on a connection. */
const CONNECTIONS_OF_A_SEARCH = 2;
const REQUESTS = 50;

/** The callers of the requests that are under way after each of `callers` has made {@link REQUESTS}, one caller after the other. */
async function underWay(pool: Admission, callers: readonly string[]): Promise<readonly string[]> {
  const entered: string[] = [];
  for (const caller of callers)
    for (let request = 0; request < REQUESTS; request += 1)
      pool.acquire(caller).then(
        () => entered.push(caller),
        () => undefined,
      );
  await setImmediate();
  return entered;
}

describe('keys that send as many expensive requests as they may', () => {
  it.each(['searches', 'evaluations'] as const)('leave room for a third and a fourth key: %s', async (name) => {
    const entered = await underWay(newPools()[name], ['a', 'b', 'c', 'd']);
    expect(new Set(entered)).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  it('have a connection to the database for each search that is under way', async () => {
    const entered = await underWay(newPools().searches, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(entered.length * CONNECTIONS_OF_A_SEARCH).toBeLessThanOrEqual(SEARCH_CONNECTIONS);
  });

  it('let a search wait longer than the search before it can take', () => {
    expect(SEARCH_TIMEOUT_MS).toBeLessThan(SEARCH_WAIT_MS);
  });
});
