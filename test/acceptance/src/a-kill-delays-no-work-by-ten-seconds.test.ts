import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import {
  AlertStream,
  allMailed,
  casesOf,
  type Mailbox,
  Scenario,
  startKafka,
  startMailbox,
  startMongo,
  type StreamedAlert,
  waits,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { People } from './system/people.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

/** Asserts seconds, which a loaded machine has not: that nothing is lost or doubled, every run shows in the files beside this one. */
const describeDeep = casesOf({ usual: describe.skip, deep: describe });

const PER_SECOND = 20;
const WORST_MS = 10_000;
/** A process that takes longer to be ready again runs on a machine that has no time for it, in milliseconds. */
const USUAL_START_MS = 5_000;

/** A service or an engine, of which one process is killed with -9 and started again. */
interface Victim {
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
}

describeDeep.each([
  ['one process', 1],
  ['two processes', 2],
])('with %s of each service, under twenty alerts a second', (_, ofEach) => {
  const victims = new Map<string, Victim>();
  let mailbox: Mailbox;
  let people: People;
  let processes: readonly ServiceProcess[] = [];
  let stopEngines: () => Promise<unknown>;

  beforeAll(async () => {
    const [kafka, mongo] = await Promise.all([startKafka(), startMongo()]);
    stopEngines = () => Promise.all([kafka.stop(), mongo.stop()]);
    mailbox = await startMailbox();
    const installation = await newInstallation(mailbox.url, 'fatal', {
      kafka: { brokers: kafka.brokers.split(','), topicPrefix: 'killed.' },
      mongo: { uri: mongo.uri, databasePrefix: 'killed_' },
    });
    processes = await processesOf(installation, () => ofEach);
    await Promise.all(processes.map((process) => process.start()));
    for (const process of processes.toReversed()) victims.set(process.name, process);
    victims.set('Kafka', { kill: () => kafka.kill(), start: () => kafka.restart() });
    victims.set('MongoDB', { kill: () => mongo.kill(), start: () => mongo.restart() });
    people = new People(new Scenario(new Api(installation.gatewayUrl), `of${ofEach}.example.com`, new Date()));
    await people.create();
    // A process is at its slowest when it does something for the first time.
    const warming = new AlertStream({ perSecond: PER_SECOND, create: (alias, index) => people.alert(alias, index) });
    warming.start(`warming-${ofEach}`);
    await pause(5_000);
    await allMailed(await warming.stop(), mailbox);
  });

  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await mailbox.stop();
    await stopEngines();
  });

  /** Kills it in the middle of alerts and starts it again; `slowMs` is what a slow machine added to its start. */
  async function round(name: string, victim: Victim): Promise<{ alerts: readonly StreamedAlert[]; slowMs: number }> {
    const create = (alias: string, index: number) => people.alert(alias, index);
    const stream = new AlertStream({ perSecond: PER_SECOND, create });
    stream.start(`${name}-${ofEach}`);
    await pause(1_500);
    await victim.kill();
    const began = performance.now();
    await victim.start();
    const slowMs = Math.max(0, performance.now() - began - USUAL_START_MS);
    await pause(1_500);
    return { alerts: await stream.stop(), slowMs };
  }

  it.each([...SERVICES, 'Kafka', 'MongoDB'])(
    'mails every alert within ten seconds of its acceptance, and no other user, when %s is killed with -9',
    async (name) => {
      const victim = victims.get(name);
      if (victim === undefined) throw new Error(`${name} does not run.`);
      const { alerts, slowMs } = await round(name, victim);
      await allMailed(alerts, mailbox);
      const worst = Math.max(...waits(alerts, mailbox));
      process.stderr.write(`${name}: ${alerts.length} alerts, worst accepted -> mail ${worst} ms\n`);
      expect(people.strangers(alerts, mailbox)).toEqual([]);
      expect(worst - slowMs).toBeLessThan(WORST_MS);
    },
  );
});
