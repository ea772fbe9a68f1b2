import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { startMongo, testMongo } from '@tocsin/testkit';
import { asUnavailable, collectionOf, connectMongo } from './index.ts';

/** As long as the gateway waits for a service (`UPSTREAM_TIMEOUT_MS`). */
const GATEWAY_WAITS_MS = 15_000;

describe('connectMongo', () => {
  it('reads from the primary, whatever the address says', async () => {
    const { database, uri } = await testMongo();
    const connection = await connectMongo({ uri: `${uri}&readPreference=secondary`, database });
    try {
      expect(await collectionOf(connection, 'alerts').findOne({})).toBeNull();
    } finally {
      await connection.close();
    }
  });
});

describe('a read from a server that is frozen', () => {
  it('ends before the time-out of the gateway, and is read again once the server is back (E2)', async () => {
    const own = await startMongo();
    const connection = await connectMongo({ uri: own.uri, database: 'test' });
    try {
      const read = () => collectionOf(connection, 'alerts').findOne({});
      await Promise.all([read(), read()]);
      await own.pause();
      const gateway = new AbortController();
      const answer = await Promise.race([
        read().catch(asUnavailable),
        pause(GATEWAY_WAITS_MS, 'The gateway has answered 504.', { signal: gateway.signal }),
      ]);
      gateway.abort();
      expect(answer).toBeInstanceOf(UnavailableError);
      own.resume();
      expect(await read()).toBeNull();
    } finally {
      own.resume();
      await connection.close();
      await own.stop();
    }
  });
});
