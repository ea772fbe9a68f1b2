import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { type NoticeCommand, NoticeCommands } from '@tocsin/events';
import { deathOf, type PointOfDeath, publishAll, testMongo } from '@tocsin/testkit';
import type { KilledSubscriptionReader } from '../testing/killed-subscription-reader.ts';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import { subscriptionBatch } from '../testing/verification-batch.ts';
import { USERS } from './store.ts';

const READER = fileURLToPath(new URL('../testing/killed-subscription-reader.ts', import.meta.url));
const event = { userId: 'user-ada', to: 'browser-1', at: '2026-01-01T00:00:00.000Z' };
const subscription = { endpoint: 'https://push.example.net/1', p256dh: 'p', auth: 'a' };
const browser = {
  id: 'b1',
  method: 'mobile',
  to: 'browser-1',
  enabled: true,
  device: { name: 'Phone', verified: true, subscription },
} as const;

it.each<PointOfDeath>([
  { when: 'after', command: 'update', collection: USERS },
  { when: 'after', command: 'insert', collection: 'outbox' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
])('a process that dies %j its command leaves a browser that ends once, with one mail', async (point) => {
  const stores = await emptyStores();
  await stores.users.insert(sampleUser('ada', { contacts: [browser] }));
  const { uri: mongoUri } = await testMongo();
  const options: KilledSubscriptionReader = { mongoUri, database: stores.connection.name, dieAt: point, event };
  const child = spawn(process.execPath, ['--conditions=source', READER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect((await deathOf(child, stores.connection)).signal).toBe('SIGKILL');
  const isWritten = point.when === 'after' && point.command === 'commitTransaction';
  const stored = async () => (await stores.users.find({ id: 'user-ada' }))?.contacts[0]?.device?.subscription;
  expect(await stored()).toEqual(isWritten ? 'ended' : subscription);
  expect(await stores.endedSubscriptions.process([subscriptionBatch([event])])).toEqual({ outcome: 'done' });
  // Published twice, as a relay may.
  expect(await stores.endedSubscriptions.process([subscriptionBatch([event], 1)])).toEqual({ outcome: 'done' });
  expect(await stored()).toBe('ended');
  // The killed process may have the lease of the relay.
  stores.outbox.start();
  await publishAll(stores.outbox);
  const ordered = stores.publisher.published.filter(({ topic }) => topic === NoticeCommands.name);
  expect(ordered.map(({ message }) => (message as NoticeCommand).noticeId)).toEqual(['ended:browser-1']);
});
