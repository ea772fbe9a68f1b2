import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, freePort, type Mailbox, Scenario, startMailbox } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { type Installation, newInstallation } from './system/installation.ts';
import { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

/** Of the tools of Opsgenie: Tocsin knows that of the imported integration, once it is imported. */
const IMPORTED = randomUUID();
const UNKNOWN = randomUUID();
const TOOLS = 6;

let opsgenie: Server;
let mailbox: Mailbox;
let installation: Installation;
let api: Api;
let scenario: Scenario;
let processes: readonly ServiceProcess[] = [];
let gateways: readonly string[];
/** The aliases that each side took. */
const theirs: string[] = [];
const accepted: string[] = [];
let isSending = true;

beforeAll(async () => {
  opsgenie = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      theirs.push((JSON.parse(Buffer.concat(chunks).toString()) as { alias: string }).alias);
      const requestId = randomUUID();
      response
        .writeHead(202, { 'Content-Type': 'application/json', 'X-Request-Id': requestId })
        .end(JSON.stringify({ result: 'Request will be processed', took: 0.1, requestId }));
    });
  });
  opsgenie.listen(0, '127.0.0.1');
  await once(opsgenie, 'listening');
  mailbox = await startMailbox();
  const plain = await newInstallation(mailbox.url, 'fatal');
  const settings = {
    RATE_LIMITS: 'off',
    CONTACT_VERIFICATION: 'off',
    FORWARD_TO_OPSGENIE: `http://127.0.0.1:${(opsgenie.address() as AddressInfo).port}`,
  };
  installation = { ...plain, environmentOf: (service) => ({ ...plain.environmentOf(service), ...settings }) };
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  const own = { PORT: port, ADMIN_PORT: adminPort, INSTANCE: '1' };
  const second = new ServiceProcess('gateway', { ...installation.environmentOf('gateway'), ...own });
  processes = [...(await processesOf(installation)), second];
  await Promise.all(processes.map((each) => each.start()));
  gateways = [installation.gatewayUrl, `http://127.0.0.1:${port}`];
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'switch.example.com', new Date());
  await scenario.users('ada');
  const integration = randomUUID();
  await api.expect(200, 'PUT', `/v2/imports/integrations/${integration}`, { type: 'API', name: 'Nagios' });
  await api.expect(200, 'PUT', `/v2/imports/keys/${integration}`, { apiKey: IMPORTED });
});

afterAll(async () => {
  isSending = false;
  await Promise.all(processes.map((each) => each.stop()));
  await mailbox.stop();
  opsgenie.closeAllConnections();
  opsgenie.close();
});

/** A tool that sends alerts one after the other, each again until it is accepted, to one gateway after the other. */
async function tool(name: string, key: string): Promise<void> {
  for (let n = 0; isSending; n += 1) {
    const alias = `${name}-${n}`;
    for (let tries = n; ; tries += 1) {
      const response = await fetch(`${gateways[tries % gateways.length]}/v2/alerts`, {
        method: 'POST',
        headers: { Authorization: `GenieKey ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          alias,
          message: alias,
          responders: [{ type: 'user', username: scenario.address('ada') }],
        }),
      });
      await response.arrayBuffer();
      if (response.status === 202) break;
      expect(response.status).toBe(503);
      await pause(50);
    }
    accepted.push(alias);
    await pause(200);
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Sets the switch, and resolves with the instant of its change. */
async function setShadow(enabled: boolean): Promise<string> {
  const { body } = await api.expect(200, 'PUT', '/v2/account/shadow', { enabled });
  return (body['data'] as { readonly changedAt: string }).changedAt;
}

interface Taken {
  readonly _id: string;
  readonly alias: string;
  readonly createdAt: Date;
}

/** The alerts that Tocsin took, by their creation. */
const ours = async (): Promise<readonly Taken[]> =>
  (await installation.stored.rows<Taken>('alert-processor', 'alerts', {})).toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
  );

/** The ids of the alerts with a message in this state. */
const alertsWith = async (state: string): Promise<readonly string[]> => {
  const rows = await installation.stored.rows<{ readonly page: { readonly alertId: string } }>(
    'notifier',
    'deliveries',
    { state },
  );
  return rows.map(({ page }) => page.alertId);
};

const tookMore = (list: () => Promise<readonly unknown[]> | readonly unknown[], than: number) =>
  eventually(async () => {
    expect((await list()).length).toBeGreaterThan(than);
  });

describe('tools that send while shadow is ended and begun again', () => {
  it('have each alert taken by one side, by Tocsin only while it sends pages, and their keys learned', async () => {
    await setShadow(true);
    const tools = Array.from({ length: TOOLS }, (_, index) =>
      tool(index === 0 ? 'unknown' : `imported-${index}`, index === 0 ? UNKNOWN : IMPORTED),
    );
    await tookMore(() => theirs, 20);
    expect(await ours()).toEqual([]);
    const endedAt = await setShadow(false);
    await tookMore(ours, 20);
    const first = (await ours()).map(({ _id }) => _id);
    await eventually(async () => {
      expect(await alertsWith('sent')).toEqual(expect.arrayContaining(first));
    });
    const begunAt = await setShadow(true);
    const before = theirs.length;
    await tookMore(() => theirs, before + 20);
    isSending = false;
    await Promise.all(tools);

    await eventually(async () => {
      const mine = (await ours()).map(({ alias }) => alias);
      expect([...theirs, ...mine].toSorted()).toEqual(accepted.toSorted());
    });
    const mine = await ours();
    expect(mine.filter(({ alias }) => alias.startsWith('unknown'))).toEqual([]);
    expect(mine[0]?.createdAt.getTime()).toBeGreaterThan(Date.parse(endedAt));
    expect(mine.at(-1)?.createdAt.getTime()).toBeLessThan(Date.parse(begunAt));
    await eventually(async () => {
      const keys =
        await api.read<readonly { readonly sha256: string; readonly integration?: { readonly name: string } }[]>(
          '/v2/account/opsgenie-keys',
        );
      expect(Object.fromEntries(keys.map((each) => [each.sha256, each.integration?.name]))).toEqual({
        [hashOf(UNKNOWN)]: undefined,
        [hashOf(IMPORTED)]: 'Nagios',
      });
    });
    await eventually(async () => {
      const all = [...(await alertsWith('sent')), ...(await alertsWith('held-back'))];
      expect(all.toSorted()).toEqual(mine.map(({ _id }) => _id).toSorted());
    });
  });
});
