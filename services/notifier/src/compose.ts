import { AlertEvents, Decisions, NoticeCommands, Pages, Users, type ContactMethod } from '@tocsin/contracts';
import { subscription } from '@tocsin/messaging';
import type { Connection, Outbox } from '@tocsin/persistence';
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
import { Deliver, type DeliverPorts } from './application/deliver.ts';
import { ExpandPages } from './application/expand-pages.ts';
import { RepeatSteps } from './application/repeat-steps.ts';
import { TakeNotices } from './application/take-notices.ts';
import type { Config } from './config.ts';
import { alertEventHandler, noticeHandler, pageHandler } from './events/handlers.ts';
import type { NoticeNews } from './ports/notice-listener.ts';
import { SmtpMailProvider, smtpSettings } from './providers/smtp-mail-provider.ts';
import { notifierIndexes, REPEAT_TIMERS, STEP_TIMERS } from './storage/documents.ts';
import { MongoAlertStandings } from './storage/mongo-alert-standings.ts';
import { MongoBurials } from './storage/mongo-burials.ts';
import { MongoDeliveryStore, type StepTimer } from './storage/mongo-delivery-store.ts';
import { MongoFlowStore, type RepetitionTimer } from './storage/mongo-flow-store.ts';

/** Longer than a mail server may take for a portion, short enough to wait for after a crash. */
const LEASE_MS = 45_000;

const CHANNELS: ReadonlySet<ContactMethod> = new Set(['email']);

/** The only file that knows every concrete part. Parts stop in the reverse of the order in which they start. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock } = context;
  const indexes = [...notifierIndexes, ...timerIndexes(STEP_TIMERS), ...timerIndexes(REPEAT_TIMERS)];
  const connection = await openMongo(context, indexes);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [Decisions]);
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory' });
  await replicas.start();

  const stores = openStores(context, connection, outbox, {
    deliver: (due) => deliver.deliver(due),
    repeat: (due) => repeatSteps.repeat(due),
  });
  const onNotice = ({ text, ...news }: NoticeNews): void => {
    context.logger.info(news, text);
  };
  const deliver = new Deliver({ ...(await openMail(context)), store: stores.deliveries, users, clock, onNotice });
  context.activity.add('sending', { pending: () => deliver.underWay });
  const repeatSteps = new RepeatSteps({ store: stores.flows, users, channels: CHANNELS, clock });
  const expandPages = new ExpandPages({ store: stores.flows, users, channels: CHANNELS });
  const takeNotices = new TakeNotices({ store: stores.flows, channels: CHANNELS, onNotice });
  const burying = { burials: new MongoBurials(connection, outbox), clock };
  for (const timers of stores.timers) await startTimers(context, timers);
  await startConsumer(context, {
    group: 'notifier',
    publisher,
    checkpointsIn: connection,
    subscriptions: [
      subscription(AlertEvents, alertEventHandler(stores.standings, burying)),
      subscription(Pages, pageHandler(expandPages, burying)),
      subscription(NoticeCommands, noticeHandler(takeNotices, burying)),
    ],
  });
  await serve(context, createApp(appOptions(context)));
}

interface Firing {
  readonly deliver: (due: readonly StepTimer[]) => Promise<void>;
  readonly repeat: (due: readonly RepetitionTimer[]) => Promise<void>;
}

function openStores(context: ServiceContext, connection: Connection, outbox: Outbox, { deliver, repeat }: Firing) {
  const steps: Timers<null> = openTimers(context, {
    connection,
    collection: STEP_TIMERS,
    leaseMs: LEASE_MS,
    fire: deliver,
  });
  const repetitions: Timers<RepetitionTimer['payload']> = openTimers(context, {
    connection,
    collection: REPEAT_TIMERS,
    fire: repeat,
  });
  const standings = new MongoAlertStandings(connection);
  const deliveries = new MongoDeliveryStore({ connection, outbox, timers: steps, standings });
  const flows = new MongoFlowStore({ connection, outbox, deliveries, standings, timers: repetitions });
  return { standings, deliveries, flows, timers: [steps, repetitions] as const };
}

/** What the hand-over needs of the outside. */
async function openMail({ config, lifecycle, metrics }: ServiceContext<Config>) {
  const mail = await lifecycle.start(
    'smtp',
    () => new SmtpMailProvider(smtpSettings(config)),
    (provider) => {
      provider.close();
    },
  );
  return {
    mail,
    random: () => Math.random(),
    onHandedOver: (seconds: number) => {
      metrics.stage('handed-over', seconds);
    },
    sender: {
      accountName: config.accountName,
      messageIdHost: config.messageIdHost,
      publicUrl: config.publicUrl,
    },
    portion: config.smtpMaxConnections,
    leaseMs: LEASE_MS,
  } satisfies Partial<DeliverPorts<StepTimer>>;
}
