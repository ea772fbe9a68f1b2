import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertCommands } from '@tocsin/events';
import { KafkaConnection } from '@tocsin/kafka';
import {
  AlertStream,
  allMailed,
  eventually,
  type Mailbox,
  type OwnKafka,
  type OwnKafkaCluster,
  Scenario,
  startKafkaCluster,
  startMailbox,
  startMongo,
  type StreamedAlert,
  waits,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { Ledger } from './system/ledger.ts';
import { People } from './system/people.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const PER_SECOND = 20;
/** From the first try of a caller to the mail. The worst takes about 20 s on a usual machine; kafkajs alone needs 5 minutes. */
const WORST_MS = 120_000;
/** How long alerts come after each loss. */
const AFTER_LOSS_MS = 10_000;
const PREFIX = 'lost.';
const OFFSETS = '__consumer_offsets';
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let cluster: OwnKafkaCluster;
let kafka: KafkaConnection;
let mailbox: Mailbox;
let people: People;
let ledger: Ledger;
let processes: readonly ServiceProcess[] = [];
let stopEngines: () => Promise<unknown>;
/** When a caller first tried to create each alert. */
const firstTries = new Map<string, Date>();

beforeAll(async () => {
  const [brokers, mongo] = await Promise.all([startKafkaCluster(), startMongo()]);
  cluster = brokers;
  stopEngines = () => Promise.all([cluster.stop(), mongo.stop()]);
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal', {
    kafka: { brokers: cluster.brokers, topicPrefix: PREFIX },
    mongo: { uri: mongo.uri, databasePrefix: 'lost_' },
  });
  kafka = new KafkaConnection({ brokers: cluster.brokers, clientId: 'test', topicPrefix: PREFIX, logger: silent });
  processes = await processesOf(installation, (service) => (service === 'alert-processor' ? 2 : 1));
  await Promise.all(processes.map((process) => process.start()));
  ledger = new Ledger(installation);
  people = new People(new Scenario(new Api(installation.gatewayUrl), 'lost.example.com', new Date()));
  await people.create();
  // A process is at its slowest when it does something for the first time.
  const stream = alerts('warming');
  await pause(3_000);
  await allMailed(await stream.stop(), mailbox);
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await kafka.stop();
  await mailbox.stop();
  await stopEngines();
});

function alerts(name: string): AlertStream {
  const create = (alias: string, index: number) => {
    if (!firstTries.has(alias)) firstTries.set(alias, new Date());
    return people.alert(alias, index);
  };
  const stream = new AlertStream({ perSecond: PER_SECOND, create });
  stream.start(name);
  return stream;
}

function worstOf(sent: readonly StreamedAlert[]): number {
  const tried = sent.map(({ alias, acceptedAt }) => ({ alias, acceptedAt: firstTries.get(alias) ?? acceptedAt }));
  return Math.max(...waits(tried, mailbox));
}

/** Aliases of alerts with another number of mails than one. */
function notOnce(sent: readonly StreamedAlert[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { subject } of mailbox.mails)
    for (const word of new Set(subject.split(' '))) times.set(word, (times.get(word) ?? 0) + 1);
  return sent.map(({ alias }) => alias).filter((alias) => times.get(alias) !== 1);
}

async function partitionsOf(...wireNames: readonly string[]) {
  const { topics } = await kafka.ask((admin) => admin.fetchTopicMetadata({ topics: [...wireNames] }));
  return topics.flatMap(({ partitions }) => partitions);
}

/** The broker that leads the first partition of the topic. */
async function leaderOf(wireName: string): Promise<OwnKafka> {
  const first = (await partitionsOf(wireName)).find(({ partitionId }) => partitionId === 0);
  return cluster.node(first?.leader ?? 0);
}

/** Resolves when all partitions that the test breaks have all of their replicas. */
const inSync = () =>
  eventually(async () => {
    for (const { isr } of await partitionsOf(kafka.wireName(AlertCommands), OFFSETS)) expect(isr).toHaveLength(3);
  });

/** Checks the alerts, and prints the worst page. */
async function pagedOnce(sent: readonly StreamedAlert[], loss: string): Promise<void> {
  await allMailed(sent, mailbox);
  const worst = worstOf(sent);
  process.stderr.write(`${loss}: ${sent.length} alerts, worst first try -> mail ${worst} ms\n`);
  expect(notOnce(sent)).toEqual([]);
  expect(people.strangers(sent, mailbox)).toEqual([]);
  expect(worst).toBeLessThan(WORST_MS);
}

describe('with three brokers, under twenty alerts a second', () => {
  it('pages each alert once while the leader of its commands is frozen, and while the coordinator and then a consumer are killed', async () => {
    const leader = await leaderOf(kafka.wireName(AlertCommands));
    const duringFreeze = alerts('frozen');
    await pause(1_000);
    await leader.pause();
    await pause(AFTER_LOSS_MS);
    const frozen = await duringFreeze.stop();
    await pagedOnce(frozen, 'leader frozen');
    leader.resume();
    await inSync();

    const coordinator = await leaderOf(OFFSETS);
    const duringKills = alerts('killed');
    await pause(1_000);
    await coordinator.kill();
    await pause(AFTER_LOSS_MS);
    await processes.findLast(({ name }) => name === 'alert-processor')?.kill();
    await pause(AFTER_LOSS_MS);
    const killed = await duringKills.stop();
    await pagedOnce(killed, 'coordinator and consumer killed');

    await eventually(
      async () => {
        expect(await ledger.read()).toMatchObject({
          commands: { lost: 0, waiting: 0 },
          flows: { overdue: 0 },
          messages: { waiting: 0, undelivered: 0 },
          balances: true,
        });
      },
      { everyMs: 2_000 },
    );
  });
});
