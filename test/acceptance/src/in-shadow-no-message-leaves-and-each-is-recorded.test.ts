import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  byAlias,
  casesOf,
  eventually,
  type Mailbox,
  Scenario,
  startMailbox,
  startMessageGateway,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { type Installation, newInstallation } from './system/installation.ts';
import { mapConcurrent } from './system/map-concurrent.ts';
import { People } from './system/people.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const ALERTS = casesOf({ usual: 400, deep: 10_000 });
const AT_A_TIME = 40;
/** Longer than the leases of queues and than what a process knows of the switch. */
const FROZEN_MS = 7_000;
/** The services with two processes: the work of the one goes on in the other. */
const TWICE: ReadonlySet<string> = new Set(['alert-processor', 'scheduling', 'notifier']);

const receiver = await startMessageGateway();
const gateway = await startMessageGateway();
let mailbox: Mailbox;
let installation: Installation;
let api: Api;
let scenario: Scenario;
let people: People;
let processes: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const plain = await newInstallation(mailbox.url, 'fatal');
  const settings = {
    RATE_LIMITS: 'off',
    CONTACT_VERIFICATION: 'off',
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
    SMS_PROVIDERS: 'http',
    SMS_HTTP_URL: `${gateway.url}/send`,
    SMS_HTTP_BODY: '{"to": "{{to}}", "text": "{{text}}"}',
  };
  installation = { ...plain, environmentOf: (service) => ({ ...plain.environmentOf(service), ...settings }) };
  processes = await processesOf(installation, (name) => (TWICE.has(name) ? 2 : 1));
  await Promise.all(processes.map((each) => each.start()));
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'shadow.example.com', new Date());
  people = new People(scenario);
  await people.create();
  await scenario.users('texted');
  await api.create(`/v2/users/${scenario.address('texted')}/contacts`, { method: 'sms', to: '1-5550100' });
  await scenario.changeRule('texted', 'create-alert', {
    steps: [{ contact: { method: 'sms', to: '1-5550100' }, sendAfter: { timeAmount: 0 }, enabled: true }],
  });
  await scenario.escalation('Texts', { delay: 0, to: { type: 'user', name: 'texted' } });
  await api.create('/v2/integrations', {
    type: 'Webhook',
    name: 'Hook',
    url: `${receiver.url}/hook`,
    sendAlertActions: true,
    alertActions: ['Create'],
  });
});

afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await Promise.all([mailbox.stop(), receiver.stop(), gateway.stop()]);
});

/** One of the processes of a service, the first by default. */
function processOf(name: string, index = 0): ServiceProcess {
  const found = processes.filter((each) => each.name === name)[index];
  if (found === undefined) throw new Error(`There is no process ${index} of ${name}.`);
  return found;
}

const create = (alias: string, index: number): Promise<unknown> =>
  eventually(
    () =>
      index % 10 === 0
        ? scenario.alert({ alias, message: alias, responders: [scenario.responder('escalation', 'Texts')] })
        : people.alert(alias, index),
    { everyMs: 200, timeoutMs: 120_000 },
  );

/** What has left notifier. */
const left = () => ({
  mails: mailbox.mails.length,
  texts: gateway.unexpected().length,
  calls: receiver.unexpected().length,
});
const NOTHING = { mails: 0, texts: 0, calls: 0 };

const deliveriesThat = (state: string) =>
  installation.stored.rows<{ readonly method: string }>('notifier', 'deliveries', { state });

describe('alerts while shadow is on and services are killed and frozen', () => {
  it('send nothing by mail, text message and webhook, and each message is recorded', async () => {
    await api.expect(200, 'PUT', '/v2/account/shadow', { enabled: true });
    const created = mapConcurrent(
      AT_A_TIME,
      Array.from({ length: ALERTS }, (_, index) => index),
      (index) => create(`shadowed-${index}`, index),
    );
    await pause(1_000);
    await processOf('notifier').kill();
    processOf('notifier', 1).freeze();
    await pause(1_000);
    await processOf('scheduling').kill();
    await processOf('alert-processor').kill();
    await pause(FROZEN_MS);
    processOf('notifier', 1).thaw();
    await Promise.all(['notifier', 'scheduling', 'alert-processor'].map((name) => processOf(name).start()));
    await created;
    await eventually(
      async () => {
        const rows = await deliveriesThat('held-back');
        const counts = Object.fromEntries(
          [...Map.groupBy(rows, ({ method }) => method)].map(([m, of]) => [m, of.length]),
        );
        expect(counts).toEqual({ email: ALERTS * 0.9, sms: ALERTS * 0.1, webhook: ALERTS });
      },
      { everyMs: 1_000, timeoutMs: 300_000 },
    );
    expect(await deliveriesThat('waiting')).toEqual([]);
    expect(left()).toEqual(NOTHING);
    const why = (await api.expect(200, 'GET', byAlias('shadowed-1', '/explanation'))).body;
    expect(JSON.stringify(why)).toContain('was not sent: shadow');
  });

  it('is over with the answer that ends shadow: the next page is sent, and no earlier one', async () => {
    await api.expect(200, 'PUT', '/v2/account/shadow', { enabled: false });
    await create('after-shadow-0', 0);
    await create('after-shadow-1', 1);
    await eventually(
      () => {
        expect(left()).toEqual({ mails: 1, texts: 1, calls: 2 });
      },
      { timeoutMs: 60_000 },
    );
    await pause(2_000);
    expect(left()).toEqual({ mails: 1, texts: 1, calls: 2 });
  });
});
