import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/contracts';
import { MAX_TURN_MS, measuredGet } from '@tocsin/testing';
import { testApp, type TestApp } from './testing/app-fixture.ts';
import { heartbeatOf } from './testing/heartbeat-samples.ts';

const HEARTBEATS = 5_000;

let app: TestApp;

async function fill(): Promise<void> {
  app = testApp();
  const texts = { description: '√'.repeat(1_000), alertMessage: '√'.repeat(100) };
  const alertTags = Array.from({ length: 20 }, (_, index) => `tag-${index}`);
  for (let index = 0; index < HEARTBEATS; index += 1)
    await app.store.insert(heartbeatOf({ id: `id-${index}`, name: `heartbeat-${index}`, ...texts, alertTags }));
}

/** The largest that each read allows. */
const READS: Readonly<Record<string, string>> = {
  'list-heartbeats': '/v2/heartbeats',
  'get-heartbeat': '/v2/heartbeats/heartbeat-1',
};

/** What is not measured, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'ping-heartbeat': 'It answers a sentence.',
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'heartbeat-monitor');

describe('every read of heartbeat-monitor', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual([...Object.keys(READS), ...Object.keys(LEFT_OUT)].sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, path) => {
    const { status, longestTurnMs } = await measuredGet({ app: app.listener, path, headers: await app.vouched() });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
