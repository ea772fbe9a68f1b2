import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages } from '@tocsin/events';
import { collectionOf } from '@tocsin/mongo';
import {
  eventually,
  MATTERMOST_BOT,
  mattermostDirectChannel,
  type MattermostDouble,
  processEnvironment,
  SLACK_APP,
  slackDirectChannel,
  type SlackDouble,
  startMattermost,
  startSlack,
} from '@tocsin/testkit';
import { DELIVERIES, type DeliveryDocument } from '../../messages/delivery-document.ts';
import { newInstallation, type TestInstallation } from '../../testing/installation.ts';
import { ada, page } from '../../testing/page-samples.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const USER = 'ada'.padEnd(26, '0');

let installation: TestInstallation;
let slack: SlackDouble;
let mattermost: MattermostDouble;
let running: ChildProcess | undefined;

beforeAll(async () => {
  [installation, slack, mattermost] = await Promise.all([newInstallation(), startSlack(), startMattermost()]);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await installation.close();
  await Promise.all([slack.stop(), mattermost.stop()]);
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = {
    ...installation.environment,
    SLACK_URL: slack.url,
    SLACK_BOT_TOKEN: SLACK_APP.token,
    MATTERMOST_URL: mattermost.url,
    MATTERMOST_BOT_TOKEN: MATTERMOST_BOT.token,
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

/** A user whose new and acknowledged alerts go to their account. */
function paged(id: string, to: string) {
  const contact = { method: 'mobile', to } as const;
  const [rule] = ada().notificationRules;
  if (rule === undefined) throw new Error('Ada has a rule');
  const steps = [{ id: 's', contact, sendAfterMinutes: 0, enabled: true }];
  return ada({
    id,
    contacts: [{ id: 'c', ...contact, enabled: true }],
    notificationRules: [
      { ...rule, steps },
      { ...rule, id: 'acknowledged', actionType: 'acknowledged-alert', steps },
    ],
  });
}

it.each([
  ['slack', 'U0ADA', slackDirectChannel('U0ADA'), () => slack],
  ['mattermost', USER, mattermostDirectChannel(USER), () => mattermost],
] as const)(
  'notifier killed between a page and its edit, and in the edit, leaves one message of %s that says that the alert is acknowledged',
  async (kind, key, channel, double) => {
    const userId = `user-${kind}`;
    await installation.publishUsers(paged(userId, `${kind}:${key}`));
    const about = (pageId: string, change = {}) => {
      const at = systemClock.now().toISOString();
      return page({ pageId, userId, alertId: `alert-${kind}`, pagedAt: at, acceptedAt: at, ...change });
    };
    const first = start();
    await installation.publisher.publish(Pages, [about(`page-${kind}`)]);
    const deliveries = collectionOf<DeliveryDocument>(installation.database, DELIVERIES);
    await eventually(async () => {
      expect(await deliveries.countDocuments({ 'page.userId': userId, state: 'sent' })).toBe(1);
    });
    await ended(first, 'SIGKILL');

    double().next({ hang: 'after' });
    await installation.publisher.publish(Pages, [
      about(`update-${kind}`, {
        actionType: 'acknowledged-alert',
        statusUpdate: { kind: 'acknowledged', actor: 'Bob' },
      }),
    ]);
    const second = start();
    const edits = (): number => double().taken.filter((call) => call.kind === 'edit').length;
    await eventually(() => {
      expect(edits()).toBe(1);
    });
    await ended(second, 'SIGKILL');

    const third = start();
    await eventually(() => {
      expect(edits()).toBe(2);
    });
    await ended(third, 'SIGTERM');
    const [message, ...others] = double().posts(channel);
    expect(JSON.stringify(message?.content)).toContain('acknowledged');
    expect(others).toEqual([]);
  },
);
