import { AlertEvents, Decisions, Pages, Users } from '@tocsin/contracts';
import { subscription } from '@tocsin/messaging';
import {
  appOptions,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  openTimers,
  serve,
  startConsumer,
  startTimers,
  type ServiceContext,
} from '@tocsin/service-kit';
import { timerIndexes, type Timers } from '@tocsin/timers';
import { createApp } from './app.ts';
import { Deliver } from './application/deliver.ts';
import { ExpandPages } from './application/expand-pages.ts';
import type { Config } from './config.ts';
import { alertEventHandler, pageHandler } from './events/handlers.ts';
import { SmtpMailProvider, smtpSettings } from './providers/smtp-mail-provider.ts';
import { notifierIndexes, STEP_TIMERS } from './storage/documents.ts';
import { MongoNotificationStore } from './storage/mongo-notification-store.ts';

/** Longer than a mail server may take for a portion, short enough to wait for after a crash. */
const LEASE_MS = 45_000;

/** The only file that knows every concrete part. Parts stop in the reverse of the order in which they start. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, lifecycle, metrics } = context;
  const connection = await openMongo(context, [...notifierIndexes, ...timerIndexes(STEP_TIMERS)]);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [Decisions]);
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory' });
  await replicas.start();

  const timers: Timers<null> = openTimers<null>(context, {
    connection,
    collection: STEP_TIMERS,
    leaseMs: LEASE_MS,
    fire: (due) => deliver.deliver(due),
  });
  const store = new MongoNotificationStore({ connection, outbox, timers });
  const mail = await lifecycle.start(
    'smtp',
    () => new SmtpMailProvider(smtpSettings(config)),
    (provider) => {
      provider.close();
    },
  );
  const deliver = new Deliver({
    store,
    mail,
    clock,
    random: () => Math.random(),
    onHandedOver: (seconds) => {
      metrics.stage('handed-over', seconds);
    },
    sender: { accountName: config.accountName, messageIdHost: config.messageIdHost },
    portion: config.smtpMaxConnections,
    leaseMs: LEASE_MS,
  });
  context.activity.add('sending', { pending: () => deliver.underWay });
  const expandPages = new ExpandPages({ store, users, channels: new Set(['email']) });
  await startTimers(context, timers);
  await startConsumer(context, {
    group: 'notifier',
    publisher,
    checkpointsIn: connection,
    subscriptions: [
      subscription(AlertEvents, alertEventHandler(store)),
      subscription(Pages, pageHandler(expandPages, store)),
    ],
  });
  await serve(context, createApp(appOptions(context)));
}
