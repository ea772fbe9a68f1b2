import {
  AlertCommands,
  DeadLetters,
  Decisions,
  type PageMessage,
  Pages,
  type StateMessage,
  SubscriptionEvents,
  Users,
  type UserState,
  VerificationEvents,
} from '@tocsin/events';
import { type Connection, migrate, persistenceIndexes } from '@tocsin/mongo';
import { DELIVERIES, notifierIndexes, RECIPIENT_QUEUES, startPaging } from '@tocsin/notifier/testing';
import { SILENT, SimulatedCluster } from '../kafka/cluster.ts';
import type { SimulatedProcess } from '../scheduler/scheduler.ts';
import { type Simulation, World, type WorldOptions } from '../world.ts';
import { AttemptRecord } from './attempts.ts';
import { leftWork, logFaults, messageFaults, readPages } from './promises.ts';
import { RecordingProvider } from './provider.ts';
import { PagePublishing } from './scheduling.ts';
import { chooseStories, USERS } from './workload.ts';

const TOPICS = [AlertCommands, DeadLetters, Decisions, Pages, SubscriptionEvents, VerificationEvents];
const PARTITIONS = 2;
/** Freezes may outlast the lease of a queue, which is 5 s. */
const FAULTS: WorldOptions = {
  faultsUntilMs: 16_000,
  maxPauseMs: 3_500,
  maxFreezeMs: 10_000,
  freezesServers: true,
};
/** Short, so that the partitions of a killed process are soon read again. */
const SESSION_TIMEOUT_MS = 1_500;
/** A message that falls due so shortly before the end may still be under way. */
const SENT_WITHIN_MS = 4_000;

/**
 * Several processes of notifier read pages and cancels of a few alerts from Kafka and send mails, while scheduling publishes them,
 * some of them again. Afterwards each page is known, and the provider has each message that no cancel ended. None was begun after its
 * cancel or before it was due, or sent again without need. Nothing that is due is left, and the log has the end of each message.
 */
export const simulatePages: Simulation = async (choices) => {
  const world = new World(choices, FAULTS);
  const { scheduler } = world;
  const cluster = new SimulatedCluster(world);
  const providerHost = scheduler.process('provider');
  const provider = new RecordingProvider();
  const attempts = new AttemptRecord({
    deliveries: DELIVERIES,
    queues: RECIPIENT_QUEUES,
    checkpoints: 'checkpoints',
    messages: (checkpoint, from, to) => messagesIn(cluster, checkpoint, from, to),
    clock: scheduler,
  });
  const stories = chooseStories((name, count) => scheduler.choose(name, count), scheduler.nowMs);
  const scheduling = scheduler.process('scheduling');
  const publishing = scheduling.run(() => new PagePublishing(scheduling, cluster, stories));
  const failures: string[] = [];

  const start = (process: SimulatedProcess, connection: Connection): void => {
    const link = world.linkTo(providerHost, process);
    const warn = (_: object, text: string): void => {
      scheduler.log(process.name, text);
    };
    const onFatal = (error: unknown): void => void failures.push(`${process.name} cannot go on: ${String(error)}`);
    startPaging({
      connection,
      kafka: cluster.connect(process),
      logger: { ...SILENT, warn, error: warn },
      provider: { name: 'smtp', send: (outgoing, attempt) => provider.send(link, outgoing, attempt) },
      onFatal,
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
    }).catch(onFatal);
  };

  return world.run({
    prepare: async (connection) => {
      await migrate(connection, [...persistenceIndexes, ...notifierIndexes]);
      for (const { name } of TOPICS) cluster.log.createTopic(name, PARTITIONS);
      publishUsers(cluster);
      scheduling.run(() => void publishing.start());
    },
    start,
    onCommit: (changes) => {
      attempts.record(changes);
    },
    violations: async (connection) => {
      const stored = await readPages(connection);
      const nowMs = scheduler.nowMs - SENT_WITHIN_MS;
      return [
        ...failures,
        ...(publishing.isFinished ? [] : ['Not all pages are published.']),
        ...cluster.valuesOf(DeadLetters).map((letter) => `There is a dead letter: ${JSON.stringify(letter)}.`),
        ...attempts.violations(provider.handOvers, scheduler.entries),
        ...messageFaults(stories, stored, { handOvers: provider.handOvers, nowMs }),
        ...logFaults(stored, cluster.valuesOf(Decisions)),
        ...leftWork(stored, nowMs),
      ];
    },
    done: () => provider.handOvers.length,
  });
};

/** The pages and cancels from one offset of a partition up to another one. */
function messagesIn({ log }: SimulatedCluster, checkpoint: string, from: number, to: number): readonly PageMessage[] {
  const [topic = '', partition] = checkpoint.split('/');
  const { records } = log.fetch(topic, Number(partition), { offset: from, limit: to - from });
  return records.map(({ value }) => Pages.schema.parse(JSON.parse(String(value))));
}

/** Users whom no page is for, so that the replica takes several fetches. */
const OTHERS = Array.from({ length: 12 }, (_, index) => ({ ...USERS[0], id: `other-${index}` }) as UserState);

/** Writes each user twice, the older state first, and compacts the topic: its first offsets are gone. */
function publishUsers({ log }: SimulatedCluster): void {
  log.createTopic(Users.name, 1);
  const producerId = log.newProducerId();
  for (const n of [1, 2]) {
    const messages = [...OTHERS, ...USERS].map((user) => {
      const state = { ...user, blocked: n === 1 };
      const message: StateMessage<UserState> = { id: user.id, version: { epoch: 1, n }, deleted: false, state };
      return { key: user.id, value: JSON.stringify(message), partition: 0 };
    });
    log.append({ producerId, sequence: n, topic: Users.name, messages });
  }
  log.compact(Users.name);
}
