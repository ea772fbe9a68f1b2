import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  type Mailbox,
  type OwnKafka,
  type OwnMongo,
  Scenario,
  startKafka,
  startMailbox,
  startMongo,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { Backups } from './system/backups.ts';
import { newInstallation, type Installation } from './system/installation.ts';
import { Ledger } from './system/ledger.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const DOMAIN = 'restored.example.com';

let mailbox: Mailbox;
let backups: Backups;
let kafka: OwnKafka | undefined;
let mongo: OwnMongo | undefined;
let running: readonly ServiceProcess[] = [];

beforeAll(async () => {
  [mailbox, backups] = await Promise.all([startMailbox(), Backups.open()]);
});

afterAll(async () => {
  await stop();
  await Promise.all([mailbox.stop(), kafka?.stop(), mongo?.stop()]);
  backups.remove();
});

async function start(installation: Installation): Promise<void> {
  running = await processesOf(installation);
  await Promise.all(running.map((service) => service.start()));
}

async function stop(): Promise<void> {
  await Promise.all(running.map((service) => service.stop()));
}

const apiOf = ({ gatewayUrl }: Installation): Api => new Api(gatewayUrl);
const scenarioOf = (installation: Installation): Scenario => new Scenario(apiOf(installation), DOMAIN, new Date());

interface Named {
  readonly name?: string;
  readonly username?: string;
}

/** The users, schedules and escalations, by name. */
async function configurationOf(installation: Installation): Promise<readonly string[]> {
  const names: string[] = [];
  for (const path of ['/v2/users', '/v2/schedules', '/v2/escalations'])
    for (const { name, username } of await apiOf(installation).read<readonly Named[]>(path))
      names.push(`${path} ${name ?? username ?? ''}`);
  return names.sort();
}

/** As a client does it: again and again until it is accepted; the alias folds what was accepted unseen. */
const alert = (installation: Installation, alias: string, escalation: string): Promise<string> => {
  const scenario = scenarioOf(installation);
  const responders = [scenario.responder('escalation', escalation)];
  return eventually(() => scenario.alert({ alias, message: alias, responders }), { everyMs: 200 });
};

const mailsOf = (alias: string): number => mailbox.mails.filter(({ subject }) => subject.includes(alias)).length;

async function isMailed(alias: string): Promise<void> {
  await eventually(() => {
    expect(mailsOf(alias)).toBeGreaterThan(0);
  });
}

async function balances(installation: Installation): Promise<void> {
  await eventually(
    async () => {
      expect(await new Ledger(installation).read()).toMatchObject({
        commands: { lost: 0, waiting: 0 },
        messages: { waiting: 0, undelivered: 0 },
        balances: true,
      });
    },
    { everyMs: 500 },
  );
}

describe('a backup that is taken while services run', () => {
  let installation: Installation;
  let atBackup: readonly string[];

  beforeAll(async () => {
    installation = await newInstallation(mailbox.url, 'fatal');
    await start(installation);
    const scenario = scenarioOf(installation);
    await scenario.users('ada', 'bob');
    await scenario.schedule('Rota', { participants: ['bob'] });
    await scenario.escalation('Ada', { delay: 0, to: { type: 'user', name: 'ada' } });
    await scenario.escalation('Rota', { delay: 0, to: { type: 'schedule', name: 'Rota' } });
    await alert(installation, 'before-the-backup', 'Ada');
    await isMailed('before-the-backup');
    await balances(installation);
    atBackup = await configurationOf(installation);
    await backups.take(installation);
  });

  it('is restored beside a Kafka that went on: its configuration everywhere, and no alert is lost', async () => {
    const api = apiOf(installation);
    const scenario = scenarioOf(installation);
    await scenario.users('cleo');
    const rota = encodeURIComponent(scenario.name('Rota'));
    await api.expect(200, 'DELETE', `/v2/escalations/${rota}?identifierType=name`);
    await api.expect(200, 'DELETE', `/v2/schedules/${rota}?identifierType=name`);
    await alert(installation, 'after-the-backup', 'Ada');
    await isMailed('after-the-backup');
    expect(await configurationOf(installation)).not.toEqual(atBackup);
    await stop();

    await backups.restore(installation, '--replace');
    await start(installation);
    expect(await configurationOf(installation)).toEqual(atBackup);
    // Routing and paging read copies of users, schedules and escalations, which follow the topics.
    await alert(installation, 'by-the-restored-schedule', 'Rota');
    const mail = await mailbox.received(scenario.address('bob'), 'by-the-restored-schedule');
    expect(mail.to).toEqual([scenario.address('bob')]);
    // Settled once more, from its command on Kafka.
    expect(await scenario.alertOf('after-the-backup')).toMatchObject({ alias: 'after-the-backup', count: 1 });
    await balances(installation);
    expect(mailsOf('before-the-backup')).toBe(1);
    await stop();
  });

  it('is restored into an empty cluster beside an empty Kafka, and pages', async () => {
    [kafka, mongo] = await Promise.all([startKafka(), startMongo()]);
    const engines = {
      kafka: { brokers: kafka.brokers.split(','), topicPrefix: 'new.' },
      mongo: { uri: mongo.uri, databasePrefix: 'new_' },
    };
    const other = await newInstallation(mailbox.url, 'fatal', engines);
    await backups.restore(other);
    await start(other);
    expect(await configurationOf(other)).toEqual(atBackup);
    await alert(other, 'in-the-empty-cluster', 'Rota');
    await mailbox.received(scenarioOf(other).address('bob'), 'in-the-empty-cluster');
    await balances(other);
    expect(mailsOf('before-the-backup')).toBe(1);
  });
});
