import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  casesOf,
  eventually,
  type Mailbox,
  type OpsgenieObject,
  Scenario,
  startMailbox,
  startMessageGateway,
} from '@tocsin/testkit';
import { Api } from '../system/api.ts';
import { CommandLine } from '../system/command-line.ts';
import { newInstallation } from '../system/installation.ts';
import { OldAccount } from '../system/old-account.ts';
import type { ServiceProcess } from '../system/service-process.ts';
import { processesOf } from '../system/service-processes.ts';
import type { Stored } from '../system/stored.ts';

const ALERTS = casesOf({ usual: 60, deep: 10_000 });
/** Longer than the leases of queues and than what a process knows of the switch. */
const FROZEN_MS = 7_000;
/** The services with two processes: the work of the one goes on in the other. */
const TWICE: ReadonlySet<string> = new Set(['alert-processor', 'scheduling', 'notifier']);
const NAMES = Array.from({ length: 10 }, (_, index) => `person${index}`);

const receiver = await startMessageGateway();
const gateway = await startMessageGateway();
let mailbox: Mailbox;
let api: Api;
let cli: CommandLine;
let old: OldAccount;
let scenario: Scenario;
let stored: Stored;
let processes: readonly ServiceProcess[] = [];
let mirror: ChildProcess | undefined;
/** The ids of the users in Opsgenie. Tocsin has them under other ids. */
let ids: readonly string[];

beforeAll(async () => {
  mailbox = await startMailbox();
  const plain = await newInstallation(mailbox.url, 'fatal');
  const settings = {
    ...{ RATE_LIMITS: 'off', CONTACT_VERIFICATION: 'off' },
    ...{ WEBHOOK_ALLOWED_RANGES: '127.0.0.1', OUTGOING_ALLOWED_RANGES: '127.0.0.1' },
    ...{ SMS_PROVIDERS: 'http', SMS_HTTP_URL: `${gateway.url}/send`, SMS_HTTP_BODY: '{"to": "{{to}}"}' },
  };
  const installation = {
    ...plain,
    environmentOf: (service: Parameters<typeof plain.environmentOf>[0]) => ({
      ...plain.environmentOf(service),
      ...settings,
    }),
  };
  stored = plain.stored;
  processes = await processesOf(installation, (name) => (TWICE.has(name) ? 2 : 1));
  await Promise.all(processes.map((each) => each.start()));
  api = new Api(installation.gatewayUrl);
  cli = new CommandLine(installation.gatewayUrl);
  old = await OldAccount.start(cli);
  scenario = new Scenario(api, 'mirror.example.com', new Date());
  await scenario.users(...NAMES);
  await api.create(`/v2/users/${scenario.address('person0')}/contacts`, { method: 'sms', to: '1-5550100' });
  await scenario.changeRule('person0', 'create-alert', {
    steps: [{ contact: { method: 'sms', to: '1-5550100' }, sendAfter: { timeAmount: 0 }, enabled: true }],
  });
  const hook = { type: 'Webhook', name: 'Hook', url: `${receiver.url}/hook`, sendAlertActions: true };
  await api.create('/v2/integrations', { ...hook, alertActions: ['Create', 'Acknowledge', 'Close'] });
  ids = NAMES.map((name) => old.user(scenario.address(name)));
  await old.adopt();
  await api.expect(200, 'PUT', '/v2/account/shadow', { enabled: true });
});

afterAll(async () => {
  mirror?.kill('SIGKILL');
  await Promise.all(processes.map((each) => each.stop()));
  await Promise.all([mailbox.stop(), receiver.stop(), gateway.stop(), old.opsgenie.stop()]);
  cli.remove();
});

/** One of the processes of a service, the first by default. */
function processOf(name: string, index = 0): ServiceProcess {
  const found = processes.filter((each) => each.name === name)[index];
  if (found === undefined) throw new Error(`There is no process ${index} of ${name}.`);
  return found;
}

function startMirror(): void {
  const process = cli.start(...old.mirror, '--every', '5', '--timeout', '20');
  process.stdout.resume();
  process.stderr.resume();
  mirror = process;
}

/** Kills the mirror as a power cut would, and starts it again. */
async function killMirror(): Promise<void> {
  if (mirror === undefined) throw new Error('There is no mirror.');
  const ended = once(mirror, 'exit');
  mirror.kill('SIGKILL');
  await ended;
  startMirror();
}

const idOf = (index: number): string => `70000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Opsgenie creates an alert, which reaches its user at once. */
function create(index: number): void {
  const now = new Date().toISOString();
  const { account } = old.opsgenie;
  const name = NAMES[index % NAMES.length] ?? '';
  account.alerts.push({
    ...{ id: idOf(index), message: `Disk ${index} full`, createdAt: now, updatedAt: now, status: 'open' },
    ...{ acknowledged: false, snoozed: false, priority: 'P3', tags: [], source: 'nagios' },
    responders: [{ type: 'user', id: ids[index % NAMES.length] }],
  });
  account.alertRecipients.set(idOf(index), [
    { user: { id: ids[index % NAMES.length], username: scenario.address(name) }, createdAt: now },
  ]);
}

/** What a user does in Opsgenie to each of five alerts. */
const CHANGES: readonly ((sinceMs: number) => OpsgenieObject)[] = [
  () => ({}),
  (ackTime) => ({ acknowledged: true, report: { acknowledgedBy: scenario.address('person1'), ackTime } }),
  () => ({ snoozed: true, snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() }),
  (closeTime) => ({ status: 'closed', report: { closedBy: scenario.address('person1'), closeTime } }),
  (ackTime) => ({
    ...{ acknowledged: true, status: 'closed' },
    report: {
      acknowledgedBy: scenario.address('person1'),
      closedBy: scenario.address('person2'),
      ackTime,
      closeTime: ackTime,
    },
  }),
];

function change(index: number): void {
  const alert = old.opsgenie.account.alerts[index] ?? {};
  const sinceMs = Date.now() - Date.parse(String(alert['createdAt']));
  const changed = CHANGES[index % CHANGES.length]?.(sinceMs) ?? {};
  if (Object.keys(changed).length > 0) Object.assign(alert, changed, { updatedAt: new Date().toISOString() });
}

const stateOf = ({ acknowledged, snoozed, status }: OpsgenieObject) => ({ acknowledged, status, snoozed });

/** All alerts of Tocsin, by the id in Opsgenie. */
async function ours(): Promise<ReadonlyMap<string, readonly object[]>> {
  const all: OpsgenieObject[] = [];
  for (let offset = 0; ; offset += 100) {
    const query = `limit=100&offset=${offset}&sort=createdAt&order=asc`;
    const page = await api.read<readonly OpsgenieObject[]>(`/v2/alerts?${query}`);
    all.push(...page);
    if (page.length < 100) return new Map([...Map.groupBy(all, alertIdOf)].map(([id, of]) => [id, of.map(stateOf)]));
  }
}
const alertIdOf = ({ alias }: OpsgenieObject): string => String(alias);

/** Each alert of Opsgenie once, as it is there. */
const theirs = (): ReadonlyMap<string, readonly object[]> =>
  new Map(old.opsgenie.account.alerts.map((alert) => [String(alert['id']), [stateOf(alert)]]));

interface Report {
  readonly rows: readonly { readonly alerts: number; readonly users: Readonly<Record<string, number>> }[];
  readonly different: readonly object[];
  readonly notComparable: readonly object[];
  readonly withoutUser: readonly object[];
}

/** Kills and freezes services and the mirror beside each other while `work` is done, then lets all go on. */
async function amidFaults(work: (step: number) => void): Promise<void> {
  for (const [step, fault] of FAULTS.entries()) {
    work(step);
    await pause(1_000);
    await fault();
  }
  await pause(FROZEN_MS);
  processOf('notifier', 1).thaw();
  await Promise.all(KILLED.map((name) => processOf(name).start()));
}

const KILLED = ['notifier', 'scheduling', 'alert-processor', 'gateway'];
const FAULTS: readonly (() => Promise<void>)[] = [
  ...KILLED.map((name) => () => processOf(name).kill()),
  () => {
    processOf('notifier', 1).freeze();
    return Promise.resolve();
  },
  killMirror,
];

/** Does `work` for the alerts of a step of {@link FAULTS}. */
function eachOf(step: number, work: (index: number) => void): void {
  const size = ALERTS / FAULTS.length;
  for (let index = Math.ceil(step * size); index < (step + 1) * size; index += 1) work(index);
}

/** The users for whom a message about a new alert was recorded in place of being sent. */
async function reached(): Promise<number> {
  const rows = await stored.rows<{ readonly method: string }>('notifier', 'deliveries', { state: 'held-back' });
  return rows.filter(({ method }) => method !== 'webhook').length;
}

/** 10 000 alerts take longer than the usual limit of a test. */
const TEST_TIMEOUT_MS = casesOf({ usual: 600_000, deep: 7_200_000 });
const OFTEN = {
  everyMs: casesOf({ usual: 2_000, deep: 30_000 }),
  timeoutMs: casesOf({ usual: 300_000, deep: 3_600_000 }),
};

describe('mirrored alerts with services and the mirror killed', () => {
  it(
    'send nothing, are in Tocsin once and as in Opsgenie, and are all compared',
    async () => {
      startMirror();
      // Alerts that were created before are not compared.
      await eventually(() => {
        expect(existsSync(path.join(cli.folder, 'mirror', 'mirror.json'))).toBe(true);
      });
      await amidFaults((step) => {
        eachOf(step, create);
      });
      await eventually(async () => {
        expect(await reached()).toBe(ALERTS);
      }, OFTEN);
      await amidFaults((step) => {
        eachOf(step, change);
      });
      await eventually(async () => {
        expect(await ours()).toEqual(theirs());
      }, OFTEN);

      const { stderr, stdout } = await cli.run(...old.report, '--tolerance', '3600', '--json');
      const { different, notComparable, rows, withoutUser } = JSON.parse(stdout) as Report;
      expect([different, notComparable, withoutUser, stderr]).toEqual([[], [], [], '']);
      expect(rows.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(ALERTS);
      const left = { mails: mailbox.mails.length, texts: gateway.unexpected(), calls: receiver.unexpected() };
      expect(left).toEqual({ mails: 0, texts: [], calls: [] });
    },
    TEST_TIMEOUT_MS,
  );
});
