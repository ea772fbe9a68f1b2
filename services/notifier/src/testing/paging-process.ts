import { FollowingClock, retry } from '@tocsin/core';
import {
  AlertCommands,
  ContactMethod,
  Decisions,
  Pages,
  SubscriptionEvents,
  Users,
  VerificationEvents,
} from '@tocsin/events';
import {
  BatchConsumer,
  BatchingPublisher,
  consume,
  type KafkaConnection,
  type MessagingLogger,
  TopicReplicas,
} from '@tocsin/kafka';
import {
  CheckpointTransactions,
  type Connection,
  DueWork,
  inTransaction,
  MongoCheckpoints,
  Outbox,
  serverTime,
} from '@tocsin/mongo';
import { Lifecycle, TaskRunner } from '@tocsin/service';
import type { Provider } from '../channels/channel.ts';
import { ProviderChannel } from '../channels/providers/provider-channel.ts';
import type { Outgoing } from '../messages/bundle.ts';
import type { PageDocument } from '../messages/delivery-document.ts';
import { SendToUsers } from '../messages/operations.ts';
import { pages } from '../pages/consumer.ts';
import { PageStore, type PreparedRepetitions, repetitionWork } from '../pages/store.ts';
import { RepeatSteps } from '../pages/task.ts';
import { DeliverMessages, RESULT_PAUSE_MS } from '../queue/deliver-operations.ts';
import { DeliveryStore } from '../queue/delivery-store.ts';
import { LEASE_MS } from '../queue/lease-store.ts';
import { NewDeliveries } from '../queue/new-delivery-store.ts';
import { RecipientQueues } from '../queue/recipient-queue-store.ts';
import { addSendTasks } from '../queue/task.ts';
import { shadowThatIs } from './shadow-double.ts';

export { type Outgoing } from '../messages/bundle.ts';
export { type AttemptReference, type Provider } from '../channels/channel.ts';
export { type SendResult } from '../messages/attempts.ts';
export { DELIVERIES, RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
export { notifierIndexes } from '../messages/store.ts';
export { ada, cancel, page } from './page-samples.ts';

export interface PagingParts {
  readonly connection: Connection;
  readonly kafka: KafkaConnection;
  readonly logger: MessagingLogger;
  /** Sends mails. */
  readonly provider: Provider<Outgoing>;
  readonly onFatal: (error: unknown) => void;
  readonly sessionTimeoutMs: number;
}

const nothing = (): void => undefined;
const MAX_UNDER_WAY = 4;
const LOOK_EVERY_MS = 1_000;
const SEND = 'send';

/**
 * Starts what a process of notifier does with pages, as `compose.ts` composes it: the replica of users, the consumer of pages, the
 * queues, the repetitions and the outbox. Mails are its only channel, and shadow is off. Resolves when the process consumes.
 */
export async function startPaging(parts: PagingParts): Promise<void> {
  const { connection, kafka, logger, onFatal, provider } = parts;
  const clock = new FollowingClock();
  await retry(() => clock.follow(() => serverTime(connection)), { onFailure: nothing });
  const metrics = { taskAdded: nothing, taskRan: nothing };
  const tasks = new TaskRunner({ clock, realClock: clock, logger, metrics, onFatal });
  const topics = [Decisions, VerificationEvents, SubscriptionEvents, AlertCommands];
  const publisher = new BatchingPublisher({ kafka, logger, topics: [] });
  await publisher.start();
  const outbox = new Outbox({ connection, publisher, topics, logger });
  outbox.start();
  const replicas = new TopicReplicas({ kafka, lookUp: () => Promise.resolve([]), logger, onFatal });
  const users = replicas.add(Users);
  await replicas.start();

  const bundles = new Map();
  const queues = new RecipientQueues(connection, LEASE_MS);
  const store = new DeliveryStore({ connection, outbox, queues, bundles });
  const onFailure = (error: unknown): void => {
    logger.error({ err: error }, 'Messages cannot be begun, or their results not written. It is tried again.');
  };
  const channel = new ProviderChannel<Outgoing>({
    write: (outgoing) => outgoing,
    providers: [provider],
    onSkipped: nothing,
    onBack: nothing,
  });
  const channels = new Map([['email' as const, channel]]);
  const kind = new SendToUsers({
    channels,
    store,
    users,
    clock,
    shadow: shadowThatIs('off'),
    random: () => Math.random(),
    onBundle: nothing,
    onHandedOver: nothing,
    onHeldBack: nothing,
    onNotice: nothing,
    onRefused: nothing,
  });
  const deliver = new DeliverMessages({
    store,
    kind,
    clock,
    onFailure,
    pause: () => new Promise((resolve) => setTimeout(resolve, RESULT_PAUSE_MS)),
    maxUnderWay: MAX_UNDER_WAY,
  });
  const onWaiting = (): void => {
    tasks.wake(SEND);
  };
  const deliveries = new NewDeliveries({ connection, queues, bundles, onWaiting });
  const methods = new Set(channels.keys());
  const steps = new RepeatSteps({ users, channels: methods });
  const dueWork = new DueWork<PageDocument, PreparedRepetitions>({
    connection,
    clock,
    logger,
    wake: () => {
      tasks.wake('repetitions');
    },
    transaction: (work) => inTransaction(connection, work, { gate: deliveries.gate }),
    ...repetitionWork(() => ({ steps, store: pageStore })),
  });
  const pageStore: PageStore = new PageStore({ connection, outbox, deliveries, dueWork });
  const nextDueAt = () => queues.nextDueAt(ContactMethod.options);
  await addSendTasks({ clock, lifecycle: new Lifecycle(), tasks }, { name: SEND, deliver, store, nextDueAt });
  tasks.add({ name: 'repetitions', everyMs: LOOK_EVERY_MS, activate: (signal) => dueWork.activate(signal) });
  const transactions = new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: deliveries.gate });
  const consumer = new BatchConsumer({
    kafka,
    groupId: 'notifier',
    subscriptions: [
      consume(Pages, pages({ store: pageStore, deliver, users, clock, channels: methods }), transactions),
    ],
    publisher,
    clock,
    logger,
    onFatal,
    checkpoints: new MongoCheckpoints(connection),
    sessionTimeoutMs: parts.sessionTimeoutMs,
  });
  await consumer.start();
}
