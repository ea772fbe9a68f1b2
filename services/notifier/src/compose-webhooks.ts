import { setTimeout as pause } from 'node:timers/promises';
import { type IntegrationState, WebhookCommands } from '@tocsin/events';
import { lookUpsApart, OutgoingCaller } from '@tocsin/http';
import { consume, type Publisher, type ReplicaView } from '@tocsin/kafka';
import { CheckpointTransactions, type Connection, type Outbox } from '@tocsin/mongo';
import { internalClient, type ServiceContext, startConsumer, watchOverdue } from '@tocsin/service';
import { CallWebhooks, WebhookReceivers } from './webhooks/operations.ts';
import { Deliver, RESULT_PAUSE_MS } from './queue/deliver-task.ts';
import { LEASE_MS } from './queue/lease-store.ts';
import { ReceiverClient } from './webhooks/receiver-client.ts';
import type { Config } from './config.ts';
import { webhookCommands } from './webhooks/consumer.ts';
import { DeliveryStore } from './queue/delivery-store.ts';
import { WebhookCalls } from './queue/webhook-call-store.ts';
import { QueueRows } from './queue/row-store.ts';
import { addSendTasks } from './queue/task.ts';
import { WebhookSettingsClient } from './webhooks/settings-client.ts';

const CALL_WEBHOOKS = 'call-webhooks';
/** How many calls are under way in a process, beside the messages to users. */
const MAX_UNDER_WAY = 256;

export interface WebhookParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'whenChanged'>;
}

/**
 * Calls the webhooks of integrations until the stop. Calls wait in the same collections as messages to users. They have a consumer group,
 * a task and slots of their own, so they delay no page.
 */
export async function openWebhooks(context: ServiceContext<Config>, parts: WebhookParts): Promise<void> {
  const { activity, clock, config, logger, metrics, tasks } = context;
  const { connection, integrations, outbox, publisher } = parts;
  const queues = new QueueRows(connection, LEASE_MS);
  const store = new DeliveryStore({ connection, outbox, queues, bundles: new Map() });
  const onFailure = (error: unknown): void => {
    logger.error({ err: error }, 'Webhooks cannot be called, or their results not written. It is tried again.');
  };
  metrics.callingWebhooks();
  const random = (): number => Math.random();
  const outgoing = new OutgoingCaller({ allowedRanges: config.webhookAllowedRanges, resolve: lookUpsApart() });
  const receivers = new WebhookReceivers({
    settings: new WebhookSettingsClient(internalClient(context, 'alert-ingest'), integrations, clock),
    caller: new ReceiverClient(outgoing, clock),
    clock,
    random,
    onCalled: (result) => {
      metrics.webhookCalled(result);
    },
    onFailure,
    maxUnderWay: MAX_UNDER_WAY,
  });
  const nameOf = (id: string) => integrations.get(id)?.name;
  const sender = new CallWebhooks({ store, receivers, nameOf, clock, random });
  const deliver = new Deliver({
    store,
    sender,
    clock,
    onFailure,
    pause: () => pause(RESULT_PAUSE_MS),
    maxUnderWay: MAX_UNDER_WAY,
  });
  const nextDueAt = () => queues.nextDueAt(sender.methods);
  activity.add('webhook queues', { pending: () => queues.due(clock.now(), sender.methods), nextDueAt });
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
    subscriptions: [consume(WebhookCommands, webhookCommands({ webhooks, clock }), transactions)],
  });
}
