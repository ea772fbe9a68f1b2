import type { RequestListener } from 'node:http';
import {
  AlertCommands,
  Decisions,
  Integrations,
  NoticeCommands,
  Pages,
  pushServiceOf,
  Roles,
  ShadowSwitches,
  ShiftNotices,
  SubscriptionEvents,
  type UserState,
  Users,
  VerificationEvents,
} from '@tocsin/events';
import { createServiceApp, type ServiceAppOptions, LinkSigner } from '@tocsin/http';
import { consume } from '@tocsin/kafka';
import {
  AUDIT_INDEXES,
  CheckpointTransactions,
  type Connection,
  type DueWork,
  type IndexPlan,
  inTransaction,
} from '@tocsin/mongo';
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
import { AcknowledgeByLink } from './answers/link-operations.ts';
import { AnswerAlerts } from './answers/operations.ts';
import { acknowledgeRoutes } from './answers/routes.ts';
import { ShownOnCalls } from './chat/on-call/store.ts';
import type { TakeCallbacks } from './channels/operations.ts';
import { webPushRoute } from './channels/push/routes.ts';
import { ProviderPauses } from './channels/providers/pause-store.ts';
import { vapidKeys } from './channels/push/vapid.ts';
import { callbackRoutes, type ChatCallbacks } from './channels/routes.ts';
import { botReadiness, openBot } from './compose-bot.ts';
import { openChatCallbacks, openChats } from './compose-chat.ts';
import { openOnCall } from './compose-oncall.ts';
import { openSending } from './compose-sending.ts';
import { openShadow } from './compose-shadow.ts';
import { openSlackSockets } from './compose-sockets.ts';
import { SocketFailures } from './chat/slack-sockets/store.ts';
import { openWebhooks } from './compose-webhooks.ts';
import type { Config } from './config.ts';
import type { NoticeOutcome } from './messages/decisions.ts';
import type { PageDocument } from './messages/delivery-document.ts';
import { RETAINED_KINDS, RetainedRows, notifierIndexes } from './messages/store.ts';
import { notices, shifts } from './notices/consumer.ts';
import { NoticeStore } from './notices/store.ts';
import { pages } from './pages/consumer.ts';
import { NextPages } from './pages/next-page-store.ts';
import { nextPageRoute, SimulatePages, simulationRoute } from './pages/routes.ts';
import { PageStore, type PreparedRepetitions, repetitionWork } from './pages/store.ts';
import { RepeatSteps } from './pages/task.ts';
import { auditPages, ledgerRoute } from './queue/audit-task.ts';
import { ActStore } from './answers/store.ts';
import { CallResults } from './queue/call-result-store.ts';
import type { ShadowGate } from './shadow/operations.ts';
import { shadowRoute } from './shadow/routes.ts';
import { followShadow } from './shadow/task.ts';
import type { UndeliveredMessages } from './queue/undelivered-store.ts';
import { internalReadinessRoute, type ReadinessHandlers } from './webhooks/routes.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [...notifierIndexes, ...AUDIT_INDEXES];

const OUTBOX_TOPICS = [Decisions, VerificationEvents, SubscriptionEvents, AlertCommands];

/** By what users are found: their names, and the addresses of their accounts of Telegram. */
const USER_INDEXES = {
  username: ({ username }: UserState) => username,
  telegram: ({ contacts }: UserState) =>
    contacts.flatMap(({ to }) => (pushServiceOf(to)?.service === 'telegram' ? [to] : [])),
};

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, OUTBOX_TOPICS);
  const { integrations, roles, shadow, users } = await openStates(context, connection);

  const onNotice = ({ text, ...outcome }: NoticeOutcome): void => {
    context.logger.info(outcome, text);
  };
  const alerts = new HttpAlerts(internalClient(context, 'alert-processor'));
  const answers = new AnswerAlerts({ alerts, users, acts: new ActStore({ connection, outbox }), clock });
  const pauses = await openPauses(context, connection);
  const sending = await openSending(context, { connection, outbox, users, answers, onNotice, pauses, shadow });
  const { callbacks, deliver, deliveries, methods: channels, undelivered } = sending;
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
  const { accountName, common } = context.config;
  const links = new LinkSigner(common.signingKeys, 'acknowledge');
  const chats = openChats(context, integrations);
  const chatCallbacks = openChatCallbacks(context, chats, { users, roles, alerts, answers, integrations });
  const parts = {
    undelivered,
    simulation: new SimulatePages({ users, channels }),
    nextPages: new NextPages(connection),
    readiness: readinessParts(connection, context.config, integrations),
    shadow,
    acknowledgeByLink: new AcknowledgeByLink({ links, answers, alerts, clock }),
    accountName,
    callbacks,
    chats: context.config.callbackUrl === undefined ? undefined : chatCallbacks,
    webPushKey: vapidKeys(context.config)?.publicKey,
  };
  await serve(context, createApp(parts, appOptions(context)));
  auditPages(context, { connection, publisher, undelivered });
  await openSlackSockets(context, { ...chats, ...chatCallbacks, connection, integrations });
  openBot(context, { connection, chats, users, roles, alerts, answers, integrations });
  openOnCall(context, { connection, chats, users, integrations, pauses, shadow });
  await openWebhooks(context, { connection, outbox, publisher, integrations, pauses, shadow, chats });
}

/** From what readiness knows what is wrong. */
const readinessParts = (
  connection: Connection,
  config: Config,
  integrations: AppParts['readiness']['integrations'],
): AppParts['readiness'] => ({
  ...botReadiness(connection, config),
  calls: new CallResults(connection),
  shownOnCalls: new ShownOnCalls(connection),
  sockets: new SocketFailures(connection),
  integrations,
});
/** The replicas of what other services own. */
async function openStates(context: ServiceContext<Config>, connection: Connection) {
  const replicas = await openReplicas(context);
  const states = {
    users: replicas.add(Users, { owner: 'directory', indexes: USER_INDEXES }),
    integrations: replicas.add(Integrations, { owner: 'alert-ingest' }),
    roles: replicas.add(Roles, {}),
    // Before the start of the replicas, whose changes it reads.
    shadow: openShadow(connection, replicas.add(ShadowSwitches, { owner: 'directory' })),
  };
  await replicas.start();
  followShadow(context, states.shadow);
  return states;
}

/** The pauses of providers and receivers, those of earlier processes too. */
async function openPauses(
  { clock, logger, metrics }: ServiceContext<Config>,
  connection: Connection,
): Promise<ProviderPauses> {
  const pauses = new ProviderPauses({
    connection,
    clock,
    onPaused: (provider, until) => {
      if (until === undefined) logger.info({ provider }, 'the provider takes messages again');
      else logger.warn({ provider, until }, 'the provider asks to wait; it gets no message before then');
      // Integrations are many, and their receivers are in the logs of alerts.
      if (!provider.startsWith('webhook/')) metrics.providerPaused(provider, until);
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'The pause of a provider cannot be stored.');
    },
  });
  await pauses.load();
  return pauses;
}

/** The parts that the routes use. */
export interface AppParts {
  readonly undelivered: Pick<UndeliveredMessages, 'find' | 'counts'>;
  readonly simulation: SimulatePages;
  readonly nextPages: Pick<NextPages, 'find'>;
  readonly readiness: Omit<ReadinessHandlers, 'clock'>;
  readonly shadow: Pick<ShadowGate, 'keep'>;
  readonly acknowledgeByLink: AcknowledgeByLink;
  /** Shown on every page. */
  readonly accountName: string;
  /** Undefined without `CALLBACK_URL`. */
  readonly callbacks: Pick<TakeCallbacks, 'take'> | undefined;
  /** Undefined without `CALLBACK_URL`. */
  readonly chats: ChatCallbacks | undefined;
  /** With which browsers subscribe; undefined without `VAPID_PRIVATE_KEY`. */
  readonly webPushKey: string | undefined;
}

/** The HTTP operations of notifier. */
export function createApp(
  {
    accountName,
    acknowledgeByLink,
    callbacks,
    chats,
    nextPages,
    readiness,
    shadow,
    simulation,
    undelivered,
    webPushKey,
  }: AppParts,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const routes = [
    ...acknowledgeRoutes(acknowledgeByLink, accountName),
    ...callbackRoutes(callbacks, chats),
    webPushRoute(webPushKey),
  ];
  const internalRoutes = [
    ledgerRoute(undelivered, options.clock),
    simulationRoute(simulation),
    nextPageRoute(nextPages),
    internalReadinessRoute({ ...readiness, clock: options.clock }),
    shadowRoute(shadow),
  ];
  return createServiceApp({ ...options, routes, internalRoutes });
}
