import { setTimeout as pause } from 'node:timers/promises';
import { WebhookCommands, type IntegrationState } from '@tocsin/contracts';
import { lookUpsApart, OutgoingCaller } from '@tocsin/http';
import { subscription, type Publisher, type ReplicaView } from '@tocsin/messaging';
import type { Connection, Outbox } from '@tocsin/persistence';
import { internalClient, startConsumer, sweepRetained, watchOverdue, type ServiceContext } from '@tocsin/service-kit';
import { CallWebhooks } from '../application/webhooks/call-webhooks.ts';
import { HttpWebhookCaller } from '../channels/webhook/http-webhook-caller.ts';
import { HttpWebhookDirectory } from '../clients/http-webhook-directory.ts';
import type { Config } from '../config.ts';
import { webhookHandler, type Burying } from '../events/handlers.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { MongoWebhookStore } from '../storage/webhooks/mongo-webhook-store.ts';
import { WEBHOOK_TURNS } from '../storage/webhooks/webhook-documents.ts';
import { addSendTasks } from './send-tasks.ts';

/** As of the turns of people. */
const LEASE_MS = 5_000;
const CALL_WEBHOOKS = 'call-webhooks';
const RESULT_PAUSE_MS = 500;
/** How many integrations are told side by side. */
const WINDOW = 32;

export interface WebhookParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'whenChanged'>;
  readonly burying: Burying;
}

/**
 * Tells integrations what happens to alerts, until the stop. It has a consumer group, turns and a loop of its own: nothing here
 * keeps a page waiting.
 */
export async function openWebhooks(context: ServiceContext<Config>, parts: WebhookParts): Promise<void> {
  const { activity, clock, config, logger, metrics, tasks } = context;
  const { burying, connection, integrations, outbox, publisher } = parts;
  const turns = new MongoTurns(connection, LEASE_MS, { collection: WEBHOOK_TURNS });
  const store = new MongoWebhookStore({
    connection,
    outbox,
    turns,
    onWaiting: () => {
      tasks.wake(CALL_WEBHOOKS);
    },
  });
  const onTrouble = (error: unknown): void => {
    logger.error({ err: error }, 'webhooks cannot be called or concluded yet; it is tried again');
  };
  const outgoing = new OutgoingCaller({ allowedRanges: config.webhookAllowedRanges, resolve: lookUpsApart() });
  metrics.callingWebhooks();
  const calls = new CallWebhooks({
    store,
    directory: new HttpWebhookDirectory(internalClient(context, 'alert-ingest'), integrations, clock),
    caller: new HttpWebhookCaller(outgoing, clock),
    clock,
    random: () => Math.random(),
    onCalled: (result) => {
      metrics.webhookCalled(result);
    },
    onTrouble,
    pause: () => pause(RESULT_PAUSE_MS),
    window: WINDOW,
  });
  const nextDueAt = () => turns.nextDueAt();
  activity.add('webhook turns', { pending: () => turns.due(clock.now()), nextDueAt });
  activity.add('webhooks', { pending: () => calls.underWay.length });
  watchOverdue(context, 'webhook turns', nextDueAt);
  await addSendTasks(context, { name: CALL_WEBHOOKS, deliver: calls, store, nextDueAt });
  sweepRetained(context, {
    name: 'retention-webhooks',
    days: config.notificationRetentionDays,
    removals: [(until) => store.remove(until)],
  });
  await startConsumer(context, {
    group: 'notifier-webhooks',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(WebhookCommands, webhookHandler(store, burying))],
  });
}
