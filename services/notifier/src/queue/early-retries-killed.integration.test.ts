import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages } from '@tocsin/events';
import {
  eventually,
  processEnvironment,
  type ProviderDouble,
  type SeenRequest,
  startMessageGateway,
} from '@tocsin/testkit';
import { DELIVERIES, fromDelivery, RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';
import { ada, deliveryOf, page } from '../testing/page-samples.ts';
import { queueIdOf } from './recipient-queue.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const WAITING = 20;
/** As many messages as may be between their start and their result when the process is killed. */
const MAX_UNDER_WAY = 4;
/** Longer than the test takes. */
const WAIT_MS = 10 * 60_000;

let installation: TestInstallation;
let gateway: ProviderDouble<SeenRequest>;
let running: ChildProcess | undefined;

beforeAll(async () => {
  [installation, gateway] = await Promise.all([newInstallation(), startMessageGateway()]);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await installation.close();
  await gateway.stop();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = {
    ...installation.environment,
    SMTP_MAX_CONNECTIONS: String(MAX_UNDER_WAY),
    SMS_PROVIDERS: 'http',
    SMS_HTTP_URL: `${gateway.url}/send?to={{to}}`,
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

const numberOf = (user: number) => `1-555${5_550_000 + user}`;

function userWithPhone(number: number) {
  const contact = { method: 'sms', to: numberOf(number) } as const;
  const [rule] = ada().notificationRules;
  if (rule === undefined) throw new Error('Ada has a rule');
  return ada({
    id: `u${number}`,
    contacts: [{ id: 'c1', ...contact, enabled: true }],
    notificationRules: [{ ...rule, steps: [{ id: 's', contact, sendAfterMinutes: 0, enabled: true }] }],
  });
}

function pageTo(number: number) {
  const at = systemClock.now().toISOString();
  return page({ pageId: `p${number}`, userId: `u${number}`, alertId: `a${number}`, pagedAt: at, acceptedAt: at });
}

/** Messages that a provider refused, as an earlier process has left them. */
async function insertWaiting(): Promise<void> {
  const now = systemClock.now();
  const nextAt = new Date(now.getTime() + WAIT_MS);
  const rows = Array.from({ length: WAITING }, (_, number) => {
    const change = { method: 'sms', to: numberOf(number), provider: 'http', earlyRetry: 'allowed' } as const;
    return { ...fromDelivery(deliveryOf(pageTo(number), { ...change, attempts: 5, triedSince: now }), now), nextAt };
  });
  const queues = rows.map((_, number) => ({
    _id: queueIdOf(deliveryOf(pageTo(number), { method: 'sms' })) as never,
    ...{ nextAt, leaseUntil: null, token: null, calls: 1 },
  }));
  await installation.database.collection(DELIVERIES).insertMany(rows as never);
  await installation.database.collection(RECIPIENT_QUEUES).insertMany(queues);
}

it('a provider that accepts a message gets all that wait for it, although notifier is killed right then (U7)', async () => {
  await insertWaiting();
  await installation.publishUsers(...Array.from({ length: WAITING + 1 }, (_, number) => userWithPhone(number)));
  await installation.publisher.publish(Pages, [pageTo(WAITING)]);
  const first = start();
  gateway.onAccepted(() => first.kill('SIGKILL'));
  await once(first, 'exit');
  const second = start();
  const sent = () => new Set(gateway.taken.map(({ query }) => query.get('to')));
  await eventually(() => {
    expect(sent().size).toBe(WAITING + 1);
  });
  // What was under way at the kill may come twice.
  expect(gateway.taken.length - sent().size).toBeLessThanOrEqual(MAX_UNDER_WAY);
  second.kill('SIGTERM');
  await once(second, 'exit');
});
