import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { type Mail, casesOf, eventually, type Mailbox, Scenario, startMailbox } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

/** Alerts of one round: some are sent before the kill, some while the service is unavailable. */
const ALERTS_PER_ROUND = 8;
const SECOND_RULE_MS = 60_000;
/** A mail that came so shortly before the death of the notifier may have been cut: its result was not written yet. */
const RESULT_WRITTEN_WITHIN_MS = 5_000;
/** Those that decide which user is notified of what; the processor is also killed under a thousand writes in the file beside. */
const VICTIMS = casesOf<readonly ServiceName[]>({
  usual: ['alert-processor', 'scheduling', 'notifier'],
  deep: SERVICES,
});

let mailbox: Mailbox;
let scenario: Scenario;
let api: Api;
let services: readonly ServiceProcess[] = [];
let notifierDiedAt: Date;

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  services = await processesOf(installation);
  await Promise.all(services.map((service) => service.start()));
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'killed.example.com', new Date());
  await scenario.users('ada', 'grace');
  await scenario.escalation(
    'Both',
    { delay: 0, to: { type: 'user', name: 'ada' } },
    { delay: 1, to: { type: 'user', name: 'grace' } },
  );
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await mailbox.stop();
});

/** As a client does it: again and again until it is accepted; the alias folds what was accepted unseen. */
const accepted = (attempt: () => Promise<string>) => eventually(attempt, { everyMs: 200 });

const create = (alias: string) =>
  accepted(() => scenario.alert({ alias, message: alias, responders: [scenario.responder('escalation', 'Both')] }));

/** Creates alerts, kills the service in the middle of them, and starts it again. Every second alert is acknowledged. */
async function round(service: ServiceProcess): Promise<readonly string[]> {
  const aliases = Array.from({ length: ALERTS_PER_ROUND }, (_, index) => `${service.name}-${index}`);
  const half = ALERTS_PER_ROUND / 2;
  const before = aliases.slice(0, half).map(create);
  await Promise.all(before.slice(0, 1));
  await service.kill();
  if (service.name === 'notifier') notifierDiedAt = new Date();
  const during = aliases.slice(half).map(create);
  await pause(500);
  await service.start();
  await Promise.all([...before, ...during]);
  await Promise.all(aliases.filter(isAcknowledged).map(acknowledgeOnceMailed));
  return aliases;
}

/** An acknowledgement before the mail would rightly stop it. */
async function acknowledgeOnceMailed(alias: string): Promise<void> {
  await eventually(
    () => {
      expect(mailsOf('ada', alias)).not.toEqual([]);
    },
    { everyMs: 100 },
  );
  await accepted(() => scenario.act(alias, 'acknowledge'));
}

const isAcknowledged = (alias: string): boolean => Number(alias.at(-1)) % 2 === 0;

const mailsOf = (name: string, alias: string) =>
  mailbox.mails.filter(({ to, subject }) => to.includes(scenario.address(name)) && subject.includes(` ${alias} `));

const sendWasCut = ({ receivedAt }: Mail): boolean => {
  const sinceMs = notifierDiedAt.getTime() - receivedAt.getTime();
  return sinceMs >= 0 && sinceMs < RESULT_WRITTEN_WITHIN_MS;
};

/** Whether a user was mailed about it again although the notifier knew that they had been. */
const mailedAgain = (alias: string): boolean =>
  ['ada', 'grace'].some((name) => {
    const mails = mailsOf(name, alias);
    return mails.length > (mails.some(sendWasCut) ? 2 : 1);
  });

describe(`each of ${VICTIMS.join(', ')}, killed with -9 in the middle of alerts and started again`, () => {
  it('loses nothing and mails no user twice, but for an interrupted send', async () => {
    const aliases: string[] = [];
    const victims = services.filter(({ name }) => VICTIMS.includes(name));
    expect(victims).toHaveLength(VICTIMS.length);
    for (const service of victims) aliases.push(...(await round(service)));
    await eventually(() => {
      expect(aliases.filter((alias) => mailsOf('ada', alias).length === 0)).toEqual([]);
    });
    const waiting = aliases.filter((alias) => !isAcknowledged(alias));
    await eventually(
      () => {
        expect(waiting.filter((alias) => mailsOf('grace', alias).length === 0)).toEqual([]);
      },
      { timeoutMs: SECOND_RULE_MS + 120_000, everyMs: 250 },
    );
    await pause(1_000);
    const acknowledged = aliases.filter(isAcknowledged);
    expect(acknowledged.filter((alias) => mailsOf('grace', alias).length > 0)).toEqual([]);
    expect(aliases.filter(mailedAgain)).toEqual([]);
    expect(mailbox.mails.filter(({ to }) => !to.some((address) => address.endsWith('@killed.example.com')))).toEqual(
      [],
    );
  });
});
