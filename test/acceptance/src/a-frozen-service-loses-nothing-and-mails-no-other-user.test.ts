import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { AlertStream, allMailed, casesOf, type Mailbox, Scenario, startMailbox } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { People } from './system/people.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

/** Longer than leases and sessions, so that others take over; then also longer than the requests that wait meanwhile. */
const FROZEN_MS = casesOf({ usual: 8_000, deep: 20_000 });
/** The services that are frozen. Another process claims the queues of notifier while it sends. */
const VICTIMS = casesOf<readonly ServiceName[]>({ usual: ['notifier'], deep: SERVICES });
/** Those whose work another process takes over meanwhile. */
const TWICE: ReadonlySet<string> = new Set(['alert-processor', 'scheduling', 'notifier']);

let mailbox: Mailbox;
let people: People;
let processes: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  processes = await processesOf(installation, (name) => (TWICE.has(name) ? 2 : 1));
  await Promise.all(processes.map((process) => process.start()));
  people = new People(new Scenario(new Api(installation.gatewayUrl), 'frozen.example.com', new Date()));
  await people.create();
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await mailbox.stop();
});

/** How many mails were about an alert. */
const mailsOf = (alias: string) => mailbox.mails.filter(({ subject }) => subject.split(' ').includes(alias)).length;

describe(`a service that is frozen for ${FROZEN_MS / 1_000} s in the middle of alerts`, () => {
  it.each(VICTIMS)(
    'loses nothing, mails no other user, and none twice but for sends that were cut: %s',
    async (name) => {
      const victim = processes.find((process) => process.name === name);
      if (victim === undefined) throw new Error(`${name} does not run.`);
      const stream = new AlertStream({ perSecond: 2, create: (alias, index) => people.alert(alias, index) });
      stream.start(name);
      await pause(1_000);
      victim.freeze();
      await pause(FROZEN_MS);
      victim.thaw();
      await pause(2_000);
      const alerts = await stream.stop();
      await allMailed(alerts, mailbox);
      expect(people.strangers(alerts, mailbox)).toEqual([]);
      const twice = name === 'notifier' ? [] : alerts.filter(({ alias }) => mailsOf(alias) > 1);
      expect(twice).toEqual([]);
    },
  );
});
