import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { freePort } from '@tocsin/testkit';
import type { ServiceContext } from './context.ts';
import { serviceConfig } from './service-config.ts';
import { composeService } from './start-service.ts';

const ENVIRONMENT = {
  HOST: '0.0.0.0',
  LOG_LEVEL: 'silent',
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'x'.repeat(32),
};

let context: ServiceContext | undefined;
let adminPort: number;
afterEach(() => context?.lifecycle.stop());

async function start(environment: Record<string, string> = {}): Promise<void> {
  adminPort = await freePort();
  const config = serviceConfig({}).parse({ ...ENVIRONMENT, ADMIN_PORT: adminPort, ...environment });
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  context = await composeService({ name: 'notifier', config, clock, compose: () => Promise.resolve() });
}

/** 127.0.0.2 is this machine too, and none of its addresses that only loopback listens on. */
const livesAt = (host: string): Promise<boolean> =>
  fetch(`http://${host}:${adminPort}/livez`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

describe('the admin port', () => {
  it('is reached from this machine alone, wherever the service itself listens, unless ADMIN_HOST says otherwise', async () => {
    await start();
    expect(await livesAt('127.0.0.1')).toBe(true);
    expect(await livesAt('127.0.0.2')).toBe(false);
  });

  it.each(['127.0.0.1', '127.0.0.2'])('is reached at %s with ADMIN_HOST=0.0.0.0', async (host) => {
    await start({ ADMIN_HOST: '0.0.0.0' });
    expect(await livesAt(host)).toBe(true);
  });
});
