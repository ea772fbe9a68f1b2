import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Integrations } from '@tocsin/events';
import { eventually, processEnvironment, SLACK_APP, type SlackDouble, startSlack } from '@tocsin/testkit';
import { textOf } from '../../testing/chat-fixture.ts';
import { newInstallation, type TestInstallation } from '../../testing/installation.ts';
import { webhookSettings } from '../../testing/webhook-samples.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));

let installation: TestInstallation;
let slack: SlackDouble;
let running: ChildProcess | undefined;
let onCall = 'ada';

/** What scheduling and alert-ingest answer. */
const others = createServer((request, response) => {
  request.resume();
  const user = { id: onCall, name: `${onCall}@example.com` };
  const chat = { provider: 'slack', channel: 'C0ALERTS', token: SLACK_APP.token, thread: 'all' } as const;
  const answers: Readonly<Record<string, unknown>> = {
    '/internal/on-calls': [{ id: 's1', name: 'Database', users: [user] }],
    '/internal/webhooks/chat': webhookSettings({ id: 'chat', type: 'SlackApp', isOn: false, url: slack.url, chat }),
  };
  const data = answers[request.url ?? ''];
  response.writeHead(data === undefined ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data }));
});

beforeAll(async () => {
  [installation, slack] = await Promise.all([newInstallation(), startSlack()]);
  await once(others.listen(0, '127.0.0.1'), 'listening');
  const state = {
    id: 'chat',
    name: 'Chat',
    type: 'SlackApp',
    enabled: true,
    allowReadAccess: true,
    allowWriteAccess: true,
    allowConfigurationAccess: false,
    suppressNotifications: false,
    onCall: [{ schedule: { id: 's1', name: 'Database' }, topic: true, announce: true }],
  };
  const version = { epoch: 1, n: 1 };
  await installation.publisher.publish(Integrations, [{ id: 'chat', version, deleted: false, state }]);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  others.closeAllConnections();
  others.close();
  await slack.stop();
  await installation.close();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const env = {
    ...installation.environment,
    ALERT_INGEST_URL: url,
    SCHEDULING_URL: url,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const hasTopic = (name: string): Promise<void> =>
  eventually(
    () => {
      expect(slack.topic()).toBe(`On call: Database: ${name}@example.com`);
    },
    { timeoutMs: 60_000 },
  );

it('notifier killed after Slack has a message about a hand-over, and before it knows that, posts it once more, and sets the topic (C10)', async () => {
  const first = start();
  await hasTopic('ada');
  await kill(first);
  expect(slack.posts()).toEqual([]);
  onCall = 'bob';
  slack.next({ hang: 'after' });
  const second = start();
  await eventually(
    () => {
      expect(slack.posts()).toHaveLength(1);
    },
    { everyMs: 5, timeoutMs: 60_000 },
  );
  await kill(second);
  const third = start();
  await hasTopic('bob');
  third.kill('SIGTERM');
  expect(await once(third, 'exit')).toEqual([0, null]);
  expect(slack.posts().map(textOf)).toEqual(
    [1, 2].map((): unknown =>
      expect.stringContaining('bob@example.com is on call in Database. Before: a deleted user.'),
    ),
  );
});
