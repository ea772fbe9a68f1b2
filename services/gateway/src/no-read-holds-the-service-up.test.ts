import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { key, Stage } from './testing/stage.ts';

/** The reads that the gateway answers itself. */
const READS: Readonly<Record<string, string>> = { 'list-request-limits': '/v2/request-limits' };

/** A stream does not end; `changes/streams.test.ts` has its bounds. */
const reads = OPERATIONS.filter(
  ({ method, owner, transfer }) => method === 'GET' && owner === 'gateway' && transfer !== 'stream',
);

describe('every read of the gateway', () => {
  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, path) => {
    const stage = await Stage.start();
    const headers = { authorization: `GenieKey ${key}` };
    const { status, longestTurnMs } = await measuredAnswer({ app: stage.gateway(), path, headers });
    await stage.stop();
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
