import type { RequestListener } from 'node:http';
import {
  AlertCommands,
  Decisions,
  Integrations,
  NoticeCommands,
  Pages,
  ShiftNotices,
  SubscriptionEvents,
  Users,
  VerificationEvents,
} from '@tocsin/events';
import { createServiceApp, type ServiceAppOptions, LinkSigner } from '@tocsin/http';
import { consume } from '@tocsin/kafka';
import { AUDIT_INDEXES, CheckpointTransactions, type DueWork, type IndexPlan, inTransaction } from '@tocsin/mongo';
import {
  appOptions,
  internalClient,
  openDueWork,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
  startConsumer,
  startDueWork,
  sweepRetained,
} from '@tocsin/service';
import { HttpAlerts } from './answers/client.ts';
import { AcknowledgeByLink, AnswerAlerts } from './answers/operations.ts';
import { acknowledgeRoutes } from './answers/routes.ts';
import type { TakeCallbacks } from './channels/operations.ts';
import { webPushRoute } from './channels/push/routes.ts';
import { vapidKeys } from './channels/push/vapid.ts';
import { callbackRoutes } from './channels/routes.ts';
import { openSending } from './compose-sending.ts';
import { openWebhooks } from './compose-webhooks.ts';
import type { Config } from './config.ts';
import type { NoticeOutcome } from './messages/decisions.ts';
import type { PageDocument } from './messages/delivery-document.ts';
import { RETAINED_KINDS, RetainedRows, notifierIndexes } from './messages/store.ts';
import { notices, shifts } from './notices/consumer.ts';
import { NoticeStore } from './notices/store.ts';
import { pages } from './pages/consumer.ts';
import { NextMessages } from './pages/next-message-store.ts';
import { nextPageRoute, SimulatePages, simulationRoute } from './pages/routes.ts';
import { PageStore, type PreparedRepetitions, repetitionWork } from './pages/store.ts';
import { RepeatSteps } from './pages/task.ts';
import { auditPages, ledgerRoute } from './queue/audit-task.ts';
import { ActStore } from './answers/store.ts';
import type { Undelivered } from './queue/undelivered-store.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [...notifierIndexes, ...AUDIT_INDEXES];

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [
    Decisions,
    VerificationEvents,
    SubscriptionEvents,
    AlertCommands,
  ]);
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory' });
  const integrations = replicas.add(Integrations, { owner: 'alert-ingest' });
  await replicas.start();

  const onNotice = ({ text, ...outcome }: NoticeOutcome): void => {
    context.logger.info(outcome, text);
  };
  const alerts = new HttpAlerts(internalClient(context, 'alert-processor'));
  const answers = new AnswerAlerts({ alerts, users, acts: new ActStore({ connection, outbox }), clock });
  const sending = await openSending(context, { connection, outbox, users, answers, onNotice });
  const { deliver, methods: channels } = sending;
  const { deliveries } = sending;
  const steps = new RepeatSteps({ users, channels });
  const dueWork: DueWork<PageDocument, PreparedRepetitions> = openDueWork(context, {
    connection,
    transaction: (work) => inTransaction(connection, work, { gate: deliveries.gate }),
    ...repetitionWork(() => ({ steps, store: pageStore })),
  });
  const pageStore = new PageStore({ connection, outbox, deliveries, dueWork });
  const noticeStore = new NoticeStore({ connection, outbox, deliveries });
  const noticePorts = { store: noticeStore, deliver, clock, channels, onNotice };
  // A duplicate `_id` is no defect here: two partitions may create one user's queue, and a page may be known.
  const transactions = new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: deliveries.gate });
  const rows = new RetainedRows(connection);
  sweepRetained(context, {
    name: 'retention',
    days: context.config.notificationRetentionDays,
    removals: RETAINED_KINDS.map((kind) => (until: Date) => rows.remove(kind, until)),
  });
  await sending.start();
  startDueWork(context, dueWork);
  await startConsumer(context, {
    group: 'notifier',
    publisher,
    checkpointsIn: connection,
    subscriptions: [
      consume(Pages, pages({ store: pageStore, deliver, users, clock, channels }), transactions),
      consume(NoticeCommands, notices(noticePorts), transactions),
      consume(ShiftNotices, shifts({ ...noticePorts, users }), transactions),
    ],
    reportsBacklogOf: Pages,
  });
  const simulation = new SimulatePages({ users, channels });
  const { accountName, common } = context.config;
  const links = new LinkSigner(common.signingKeys, 'acknowledge');
  const acknowledgeByLink = new AcknowledgeByLink({ links, answers, alerts, clock });
  const { callbacks, undelivered } = sending;
  const nextMessages = new NextMessages(connection);
  const webPushKey = vapidKeys(context.config)?.publicKey;
  const parts = { undelivered, simulation, nextMessages, acknowledgeByLink, accountName, callbacks, webPushKey };
  const app = createApp(parts, appOptions(context));
  await serve(context, app);
  auditPages(context, { connection, publisher, undelivered });
  await openWebhooks(context, { connection, outbox, publisher, integrations });
}

/** The parts that the routes use. */
export interface AppParts {
  readonly undelivered: Pick<Undelivered, 'find' | 'counts'>;
  readonly simulation: SimulatePages;
  readonly nextMessages: Pick<NextMessages, 'find'>;
  readonly acknowledgeByLink: AcknowledgeByLink;
  /** Shown on every page. */
  readonly accountName: string;
  /** Undefined without `CALLBACK_URL`. */
  readonly callbacks: Pick<TakeCallbacks, 'take'> | undefined;
  /** With which browsers subscribe; undefined without `VAPID_PRIVATE_KEY`. */
  readonly webPushKey: string | undefined;
}

/** The HTTP operations of notifier. */
export function createApp(
  { accountName, acknowledgeByLink, callbacks, nextMessages, simulation, undelivered, webPushKey }: AppParts,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const routes = [
    ...acknowledgeRoutes(acknowledgeByLink, accountName),
    ...callbackRoutes(callbacks),
    webPushRoute(webPushKey),
  ];
  const internalRoutes = [
    ledgerRoute(undelivered, options.clock),
    simulationRoute(simulation),
    nextPageRoute(nextMessages),
  ];
  return createServiceApp({ ...options, routes, internalRoutes });
}
