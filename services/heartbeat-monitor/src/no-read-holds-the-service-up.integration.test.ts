import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { useApp, type TestApp } from './testing/app-fixture.ts';
import { heartbeatOf } from './testing/heartbeat-samples.ts';

const HEARTBEATS = 5_000;

const openApp = useApp();
let app: TestApp;

async function fill(): Promise<void> {
  app = await openApp();
  const texts = { description: '√'.repeat(1_000), alertMessage: '√'.repeat(100) };
  const alertTags = Array.from({ length: 20 }, (_, index) => `tag-${index}`);
  const insert = (_: unknown, index: number) =>
    app.store.insert(heartbeatOf({ id: `id-${index}`, name: `heartbeat-${index}`, ...texts, alertTags }));
  await Promise.all(Array.from({ length: HEARTBEATS }, insert));
}

/** The largest that each read allows. */
const READS: Readonly<Record<string, { readonly path: string; readonly status: number }>> = {
  'list-heartbeats': { path: '/v2/heartbeats', status: 200 },
  'get-heartbeat': { path: '/v2/heartbeats/heartbeat-1', status: 200 },
  'ping-heartbeat': { path: '/v2/heartbeats/heartbeat-1/ping', status: 202 },
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'heartbeat-monitor');

describe('every read of heartbeat-monitor', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, read) => {
    const headers = await app.vouched();
    const { status, longestTurnMs } = await measuredAnswer({ app: app.listener, path: read.path, headers });
    expect(status).toBe(read.status);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
