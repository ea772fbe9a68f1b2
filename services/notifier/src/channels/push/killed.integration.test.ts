import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages } from '@tocsin/events';
import { eventually, processEnvironment, type PushService, startPushService } from '@tocsin/testkit';
import { newInstallation, type TestInstallation } from '../../testing/installation.ts';
import { ada, page } from '../../testing/page-samples.ts';
import { vapidKeys } from './vapid.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Each has one browser, which has unsubscribed. */
const PEOPLE = 60;
const AT_ONCE = 4;
const KEY = Buffer.alloc(32, 4).toString('base64url');

let installation: TestInstallation;
let service: PushService;
let running: ChildProcess | undefined;

beforeAll(async () => {
  [installation, service] = await Promise.all([newInstallation(), startPushService()]);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await installation.close();
  await service.stop();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = {
    ...installation.environment,
    SMTP_MAX_CONNECTIONS: String(AT_ONCE),
    VAPID_PRIVATE_KEY: KEY,
    WEB_PUSH_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

/** A user whose new alerts go to a browser that is subscribed no more. */
function withBrowser(number: number) {
  const keys = vapidKeys({ vapidPrivateKey: KEY, vapidSubject: undefined, publicUrl: undefined, mailFrom: 'a@b.c' });
  const subscribed = service.subscribe(keys?.publicKey ?? '');
  service.unsubscribe(subscribed);
  const to = `browser-${number}`;
  const contact = { method: 'mobile', to } as const;
  const [rule] = ada().notificationRules;
  if (rule === undefined) throw new Error('Ada has a rule');
  return ada({
    id: `u${number}`,
    contacts: [
      { id: 'b', ...contact, enabled: true, subscription: { endpoint: subscribed.endpoint, ...subscribed.keys } },
    ],
    notificationRules: [{ ...rule, steps: [{ id: 's', contact, sendAfterMinutes: 0, enabled: true }] }],
  });
}

it('notifier killed between the answers of push services and their results tells directory of each browser that has ended', async () => {
  const at = systemClock.now().toISOString();
  const people = Array.from({ length: PEOPLE }, (_, number) => withBrowser(number));
  await installation.publishUsers(...people);
  const pages = people.map(({ id }) =>
    page({ pageId: `p-${id}`, userId: id, alertId: `a-${id}`, pagedAt: at, acceptedAt: at }),
  );
  await installation.publisher.publish(Pages, pages);
  const first = start();
  await eventually(
    () => {
      expect(service.requests.length).toBeGreaterThan(AT_ONCE);
    },
    { everyMs: 1 },
  );
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = start();
  const names = people.map((_, number) => `browser-${number}`);
  await eventually(
    () => {
      expect(new Set(installation.endedSubscriptions.map(({ to }) => to))).toEqual(new Set(names));
    },
    { everyMs: 100 },
  );
  for (const { to, userId } of installation.endedSubscriptions) expect(to).toBe(`browser-${userId.slice(1)}`);
  second.kill('SIGTERM');
  await once(second, 'exit');
});
