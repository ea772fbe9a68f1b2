import { setTimeout as pause } from 'node:timers/promises';
import { integrationKind } from '@tocsin/api';
import { type IntegrationState, WebhookCommands } from '@tocsin/events';
import { lookUpsApart, OutgoingCaller } from '@tocsin/http';
import { consume, type Publisher, type ReplicaView } from '@tocsin/kafka';
import { CheckpointTransactions, type Connection, type Outbox } from '@tocsin/mongo';
import { type ServiceContext, startConsumer, watchOverdue } from '@tocsin/service';
import type { Pauses } from './channels/channel.ts';
import { CallWebhooks, type CallWebhooksPorts, type WebhookCaller, WebhookReceivers } from './webhooks/operations.ts';
import { DeliverMessages, RESULT_PAUSE_MS } from './queue/deliver-operations.ts';
import { LEASE_MS } from './queue/lease-store.ts';
import { ReceiverClient } from './webhooks/receiver-client.ts';
import { ListInDigests } from './chat/digest-operations.ts';
import { ChatDigests } from './chat/digest-store.ts';
import { FollowAlerts } from './chat/operations.ts';
import { ChatPosts } from './chat/store.ts';
import type { Config } from './config.ts';
import { webhookCommands } from './webhooks/consumer.ts';
import { DeliveryStore } from './queue/delivery-store.ts';
import { WebhookCalls } from './queue/webhook-call-store.ts';
import { RecipientQueues } from './queue/recipient-queue-store.ts';
import { addSendTasks } from './queue/task.ts';
import type { Chats } from './compose-chat.ts';
import { shadowPorts } from './compose-shadow.ts';
import type { ShadowGate } from './shadow/operations.ts';

const CALL_WEBHOOKS = 'call-webhooks';
/** How many calls are under way in a process, beside the messages to users. */
const MAX_UNDER_WAY = 256;

export interface WebhookParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly pauses: Pauses;
  readonly shadow: ShadowGate;
  readonly chats: Chats;
}

/**
 * Calls the webhooks of integrations until the stop. Calls wait in the same collections as messages to users. They have a consumer group,
 * a task and slots of their own, so they delay no page.
 */
export async function openWebhooks(context: ServiceContext<Config>, parts: WebhookParts): Promise<void> {
  const { activity, clock, config, logger, metrics, tasks } = context;
  const { chats, connection, integrations, outbox, pauses, publisher } = parts;
  const queues = new RecipientQueues(connection, LEASE_MS);
  const store = new DeliveryStore({ connection, outbox, queues, bundles: new Map() });
  const onFailure = (error: unknown): void => {
    logger.error({ err: error }, 'Webhooks cannot be called, or their results not written. It is tried again.');
  };
  metrics.callingWebhooks();
  const random = (): number => Math.random();
  const posts = new ChatPosts(connection);
  const digests = new ListInDigests({ digests: new ChatDigests(connection), posts, clock });
  const channels = new FollowAlerts({
    ...chats,
    posts,
    digests,
    limit: config.chatLimit,
    publicUrl: config.publicUrl,
    clock,
    pause,
  });
  const receiver = new ReceiverClient(
    new OutgoingCaller({ allowedRanges: config.webhookAllowedRanges, resolve: lookUpsApart() }),
    clock,
  );
  const receivers = new WebhookReceivers({
    settings: chats.settings,
    caller: callerOf(receiver, channels),
    pauses,
    clock,
    random,
    onCalled: (result) => {
      metrics.webhookCalled(result);
    },
    onFailure,
    maxUnderWay: MAX_UNDER_WAY,
  });
  const nameOf = (id: string) => integrations.get(id)?.name;
  const isChat = (id: string) => integrationKind(integrations.get(id)?.type ?? '') === 'chat';
  const onDeletionGivenUp: CallWebhooksPorts['onDeletionGivenUp'] = (deletion) => {
    logger.error(deletion, 'Words of a deleted alert may stay in a channel of chat, which did not take the deletion.');
  };
  const ports = shadowPorts(context, parts.shadow);
  const kind = new CallWebhooks({ ...ports, store, receivers, nameOf, onDeletionGivenUp, clock, random });
  const deliver = new DeliverMessages({
    store,
    kind,
    clock,
    onFailure,
    pause: () => pause(RESULT_PAUSE_MS),
    maxUnderWay: MAX_UNDER_WAY,
  });
  const nextDueAt = () => queues.nextDueAt(kind.methods);
  activity.add('webhook queues', { pending: () => queues.countDue(clock.now(), kind.methods), nextDueAt });
  activity.add('webhooks', { pending: () => deliver.underWay.length });
  watchOverdue(context, 'webhook queues', nextDueAt);
  await addSendTasks(context, { name: CALL_WEBHOOKS, deliver, store, nextDueAt });
  const onWaiting = (): void => {
    tasks.wake(CALL_WEBHOOKS);
  };
  const webhooks = new WebhookCalls({ connection, outbox, queues, onWaiting });
  // Two partitions may add the first call of one queue.
  const transactions = new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: queues.gate });
  await startConsumer(context, {
    group: 'notifier-webhooks',
    publisher,
    checkpointsIn: connection,
    subscriptions: [consume(WebhookCommands, webhookCommands({ webhooks, posts, isChat, clock }), transactions)],
  });
}

/** Calls a receiver of webhooks, or shows an event in a channel of chat. */
const callerOf = (receiver: ReceiverClient, channels: FollowAlerts): WebhookCaller => ({
  call: (delivery, settings, isLeased) => {
    const { chat, url } = settings;
    if (chat === undefined) return receiver.call(delivery, settings);
    return channels.show({ delivery, settings, channel: { url, chat } }, isLeased);
  },
});
