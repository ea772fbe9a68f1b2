import {
  AlertCommands,
  AlertEvents,
  Decisions,
  Integrations,
  NoticeCommands,
  Pages,
  ShiftNotices,
  Users,
  VerificationEvents,
} from '@tocsin/contracts';
import { LinkSigner } from '@tocsin/key-auth';
import { subscription } from '@tocsin/messaging';
import { AUDIT_INDEXES, buryWithDecision, inTransaction, type DueWork, type IndexPlan } from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openDueWork,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  startConsumer,
  startDueWork,
  sweepRetained,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { AcknowledgeByLink } from './application/acknowledge-by-link.ts';
import { AnswerAlerts } from './application/answer-alerts.ts';
import { ExpandPages } from './application/expand-pages.ts';
import { RepeatSteps } from './application/repeat-steps.ts';
import { SimulatePages } from './application/simulate-pages.ts';
import { TakeNotices } from './application/take-notices.ts';
import { TakeShifts } from './application/take-shifts.ts';
import { HttpAlertMessages } from './clients/http-alert-messages.ts';
import type { Config } from './config.ts';
import { alertEventHandler, noticeHandler, pageHandler, shiftHandler } from './events/handlers.ts';
import { auditPages } from './jobs/audit-pages.ts';
import { openSending } from './jobs/open-sending.ts';
import { openWebhooks } from './jobs/open-webhooks.ts';
import type { Burials } from './ports/burials.ts';
import type { NoticeOutcome } from './ports/notice-listener.ts';
import { KEPT } from './ports/retained-rows.ts';
import type { PageDocument } from './storage/delivery-document.ts';
import { notifierIndexes } from './storage/documents.ts';
import { MongoActStore } from './storage/mongo-act-store.ts';
import { MongoAlertStandings } from './storage/mongo-alert-standings.ts';
import { MongoFlowStore } from './storage/mongo-flow-store.ts';
import { MongoRetainedRows } from './storage/mongo-retained-rows.ts';
import { repetitionWork, type PreparedRepetitions } from './storage/repetition-work.ts';
import { webhookIndexes } from './storage/webhooks/webhook-documents.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [...notifierIndexes, ...webhookIndexes, ...AUDIT_INDEXES];

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [Decisions, VerificationEvents, AlertCommands]);
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory' });
  const integrations = replicas.add(Integrations, { owner: 'alert-ingest' });
  await replicas.start();

  const onNotice = ({ text, ...news }: NoticeOutcome): void => {
    context.logger.info(news, text);
  };
  const standings = new MongoAlertStandings(connection);
  const answers = new AnswerAlerts({ standings, users, acts: new MongoActStore({ connection, outbox }), clock });
  const sending = await openSending(context, { connection, outbox, standings, users, answers, onNotice });
  const { deliver, methods: channels } = sending;
  const { deliveries } = sending;
  const steps = new RepeatSteps({ users, channels });
  const dueWork: DueWork<PageDocument, PreparedRepetitions> = openDueWork(context, {
    connection,
    transaction: (work) => inTransaction(connection, work, { gate: deliveries.gate }),
    ...repetitionWork(() => ({ steps, store: flows })),
  });
  const flows = new MongoFlowStore({ connection, outbox, deliveries, standings, dueWork });
  const expandPages = new ExpandPages({ store: flows, deliver, users, channels, clock });
  const takeNotices = new TakeNotices({ store: flows, deliver, channels, onNotice });
  const takeShifts = new TakeShifts({ store: flows, deliver, users, channels, onNotice });
  const bury: Burials['bury'] = (record, decision) => buryWithDecision({ connection, outbox, record, decision });
  const burying = { burials: { bury }, clock };
  const rows = new MongoRetainedRows(connection);
  sweepRetained(context, {
    name: 'retention',
    days: context.config.notificationRetentionDays,
    removals: KEPT.map((kind) => (until: Date) => rows.remove(kind, until)),
  });
  await sending.start();
  startDueWork(context, dueWork);
  await startConsumer(context, {
    group: 'notifier',
    publisher,
    checkpointsIn: connection,
    subscriptions: [
      subscription(AlertEvents, alertEventHandler(standings, burying)),
      subscription(Pages, pageHandler(expandPages, burying)),
      subscription(NoticeCommands, noticeHandler(takeNotices, burying)),
      subscription(ShiftNotices, shiftHandler(takeShifts, burying)),
    ],
    reportsBacklogOf: Pages,
  });
  const simulation = new SimulatePages({ users, channels });
  const { accountName, common } = context.config;
  const links = new LinkSigner(common.signingKeys, 'acknowledge');
  const messages = new HttpAlertMessages(internalClient(context, 'alert-processor'));
  const acknowledgeByLink = new AcknowledgeByLink({ links, answers, messages, clock });
  const { callbacks, undelivered } = sending;
  const app = createApp({ undelivered, simulation, acknowledgeByLink, accountName, callbacks }, appOptions(context));
  await serve(context, app);
  auditPages(context, { connection, publisher, undelivered });
  await openWebhooks(context, { connection, outbox, publisher, integrations, burying });
}
