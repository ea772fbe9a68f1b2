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
import { newInstallation, type TestInstallation } from '../../testing/installation.ts';
import { ada, page } from '../../testing/page-samples.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Longer than a restart takes. */
const WAIT_SECONDS = 20;

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
    SMS_PROVIDERS: 'http',
    SMS_HTTP_URL: `${gateway.url}/send?to={{to}}`,
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

function withPhone(id: string, number: string) {
  const contact = { method: 'sms', to: `1-${number}` } as const;
  const [rule] = ada().notificationRules;
  if (rule === undefined) throw new Error('Ada has a rule');
  return ada({
    id,
    contacts: [{ id: 'b', ...contact, enabled: true }],
    notificationRules: [{ ...rule, steps: [{ id: 's', contact, sendAfterMinutes: 0, enabled: true }] }],
  });
}

const sayings = (alertId: string): readonly string[] =>
  installation.decisions
    .filter(({ decision }) => decision.alertId === alertId)
    .flatMap(({ decision }) => decision.findings.map(({ text }) => text));

const pageTo = (userId: string) => {
  const at = systemClock.now().toISOString();
  return page({ pageId: `p-${userId}`, userId, alertId: `a-${userId}`, pagedAt: at, acceptedAt: at });
};

it('notifier killed while a provider asks to wait gives it no message before then, of whichever user (U7)', async () => {
  await installation.publishUsers(withPhone('u1', '5551234567'), withPhone('u2', '5557654321'));
  gateway.next({ refuse: 429, headers: { 'retry-after': String(WAIT_SECONDS) } });
  await installation.publisher.publish(Pages, [pageTo('u1')]);
  const first = start();
  await eventually(
    () => {
      expect(sayings('a-u1').join()).toContain(`it answered 429 and asks to wait for ${WAIT_SECONDS} s`);
    },
    { everyMs: 5 },
  );
  const askedAt = performance.now();
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = start();
  await installation.publisher.publish(Pages, [pageTo('u2')]);
  await eventually(() => {
    expect(sayings('a-u2').join()).toContain('[http] asked to get no message for another');
  });
  expect(gateway.requests).toHaveLength(1);
  await eventually(() => {
    expect(gateway.taken.map(({ query }) => query.get('to')).toSorted()).toEqual(['+15551234567', '+15557654321']);
  });
  expect(performance.now() - askedAt).toBeGreaterThan((WAIT_SECONDS - 2) * 1_000);
  second.kill('SIGTERM');
  await once(second, 'exit');
});
