import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { WebhookCommands } from '@tocsin/events';
import {
  eventually,
  processEnvironment,
  type ProviderDouble,
  type SeenRequest,
  startMessageGateway,
} from '@tocsin/testkit';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';
import { webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const ALERTS = 40;
const EACH = 5;
/** As many calls as are made to one receiver side by side. */
const AT_ONCE = 8;

let installation: TestInstallation;
let receiver: ProviderDouble<SeenRequest>;
/** Stands in for alert-ingest, which knows one webhook. */
let owner: Server;
let running: ChildProcess | undefined;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  installation = await newInstallation();
  receiver = await startMessageGateway();
  receiver.always({ answerAfterMs: 5 });
  owner = createServer((request, response) => {
    const known = request.url === '/internal/webhooks/hook';
    const data = known ? webhookSettings({ url: `${receiver.url}/hook` }) : null;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
  await once(owner.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  running?.kill('SIGKILL');
  owner.closeAllConnections();
  owner.close();
  await receiver.stop();
  await installation.close();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = {
    ...installation.environment,
    ALERT_INGEST_URL: `http://127.0.0.1:${portOf(owner)}`,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

const idOf = ({ headers }: SeenRequest): string => String(headers['x-tocsin-delivery']);

describe('the service killed while it calls a webhook', () => {
  it('makes every call when it runs again, each alert in order, and twice only those under way', async () => {
    const { decisions, publisher } = installation;
    const at = systemClock.now().toISOString();
    const commands = Array.from({ length: EACH }, (_, index) =>
      Array.from({ length: ALERTS }, (__, alert) =>
        webhookCommand({ alertId: `a${alert}`, version: index + 1, action: 'AddNote', note: `n${index}`, at }),
      ),
    ).flat();
    await publisher.publish(WebhookCommands, commands);
    const first = start();
    await eventually(
      () => {
        expect(receiver.requests.length).toBeGreaterThan(20);
      },
      { everyMs: 1 },
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(receiver.requests.length).toBeLessThan(commands.length);
    const second = start();
    await publisher.publish(WebhookCommands, commands);
    await eventually(
      () => {
        const accepted = decisions.filter(({ decision }) =>
          decision.findings.some(({ outcome }) => outcome === 'accepted'),
        );
        expect(new Set(accepted.map(({ decision }) => decision.decisionId)).size).toBe(commands.length);
      },
      { everyMs: 100 },
    );
    const times = new Map<string, number>();
    for (const request of receiver.requests) times.set(idOf(request), (times.get(idOf(request)) ?? 0) + 1);
    expect(times.size).toBe(commands.length);
    expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
    expect(receiver.requests.length).toBeLessThanOrEqual(commands.length + AT_ONCE);
    for (let alert = 0; alert < ALERTS; alert += 1) {
      const ofAlert = [...times.keys()].filter((id) => id.startsWith(`a${alert}/`));
      expect(ofAlert).toEqual(Array.from({ length: EACH }, (_, index) => `a${alert}/${index + 1}:AddNote:hook`));
    }
    second.kill('SIGTERM');
    await once(second, 'exit');
  });
});
