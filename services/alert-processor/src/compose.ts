import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import {
  AlertCommands,
  AlertEvents,
  Decisions,
  Integrations,
  SimulatedMessages,
  SimulatedRun,
  TOPIC_DAYS,
  WebhookCommands,
} from '@tocsin/contracts';
import { LinkSigner } from '@tocsin/key-auth';
import { addResponders, logBounds, subscription, type BatchingPublisher } from '@tocsin/messaging';
import { MongoCheckpoints, type Connection, type DueWork, type IndexPlan } from '@tocsin/persistence';
import * as kit from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { Attachments } from './application/attachments.ts';
import { AuditStamps } from './application/audit-stamps.ts';
import { CommandProgress } from './application/command-progress.ts';
import { CurrentRules } from './application/current-rules.ts';
import { CurrentWebhooks } from './application/current-webhooks.ts';
import { DueAlerts, type PreparedDue } from './application/due-alerts.ts';
import { SimulateAlerts } from './application/simulate-alerts.ts';
import { HttpSimulator } from './clients/http-simulator.ts';
import { EvaluatePolicies } from './application/evaluate-policies.ts';
import { ExplainAlerts } from './application/explain-alerts.ts';
import { MailFileBudget } from './application/mail-file-budget.ts';
import { Maintenances } from './application/maintenances.ts';
import { Policies } from './application/policies.ts';
import { ReadAlerts } from './application/read-alerts.ts';
import { ReadRequestStatus } from './application/read-request-status.ts';
import { SavedSearches } from './application/saved-searches.ts';
import { SettledCommands } from './application/settled-commands.ts';
import { SettledUntil } from './application/settled-until.ts';
import { SharedPoll } from './application/shared-poll.ts';
import { SettleAlertCommands } from './application/settle-alert-commands.ts';
import type { Config } from './config.ts';
import { alertCommandsHandler } from './events/alert-commands-handler.ts';
import { decisionsHandler } from './events/decisions-handler.ts';
import { tellSettled } from './events/tell-settled.ts';
import { auditAlerts } from './jobs/audit-alerts.ts';
import { sweepAttachments } from './jobs/sweep-attachments.ts';
import { sweepRetained } from './jobs/sweep-retained.ts';
import type { AlertDocument } from './storage/alert-document.ts';
import { alertDueWork } from './storage/alert-due-work.ts';
import { indexPlans } from './storage/collections.ts';
import type { ResponderDirectory } from './ports/responder-directory.ts';
import { MongoAlertLedger } from './storage/mongo-alert-ledger.ts';
import { MongoAlertReader } from './storage/mongo-alert-reader.ts';
import { MongoAttachmentStore } from './storage/mongo-attachment-store.ts';
import { MongoConfigurationStore } from './storage/mongo-configuration-store.ts';
import { MongoDecisionLog } from './storage/mongo-decision-log.ts';
import { SEARCH_CONNECTIONS, SEARCH_WAIT_MS } from './http/pools.ts';
import { MongoRequestStatuses } from './storage/mongo-request-statuses.ts';
import { MongoRetainedRows } from './storage/mongo-retained-rows.ts';
import { MongoSavedSearchStore } from './storage/mongo-saved-search-store.ts';
import { MongoStampLedger } from './storage/mongo-stamp-ledger.ts';
import { MongoTinyIds } from './storage/mongo-tiny-ids.ts';
import { reading } from './storage/reading.ts';
import { ReplicaResponderDirectory } from './storage/replica-responder-directory.ts';

const KAFKA_IS_AWAY = 'Kafka does not answer: reads by alias do not wait, and what is due of alerts is not done';
const KAFKA_IS_BACK =
  'Kafka answers again: reads by alias wait for accepted commands, and what is due of alerts is done';

/** No search that its pool lets in waits for a connection. */
const SEARCH_POOL = { connections: SEARCH_CONNECTIONS, waitMs: SEARCH_WAIT_MS };

/** All indexes of this service's collections. */
export const INDEXES: readonly IndexPlan[] = indexPlans;

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: kit.ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await kit.openMongo(context, INDEXES);
  const publisher = await kit.openPublisher(context);
  const outbox = await kit.openOutbox(context, connection, publisher, [AlertEvents, WebhookCommands]);
  const replicas = await kit.openReplicas(context);
  const directory = new ReplicaResponderDirectory(addResponders(replicas));
  const integrations = replicas.add(Integrations, { owner: 'alert-ingest' });
  const progress = await commandProgress(context, connection);
  const dueWork = openDueAlerts(context, { connection, progress, parts: () => ({ dueAlerts, ledger }) });
  const reader = new MongoAlertReader(connection, await kit.openMongoApart(context, 'searches', SEARCH_POOL));
  const ledger: MongoAlertLedger = new MongoAlertLedger({ connection, outbox, dueWork });
  const tinyIds = new MongoTinyIds(connection);
  const store = new MongoConfigurationStore(connection);
  const rules = new CurrentRules(store, config.accountTimezone);
  const onSettled = tellSettled(context);
  const webhooks = new CurrentWebhooks(integrations);
  const commands = new SettleAlertCommands({ ledger, tinyIds, rules, webhooks, directory, clock, onSettled });
  const dueAlerts: DueAlerts = new DueAlerts({ rules, webhooks, directory, clock });
  const searches = new SavedSearches({ store: new MongoSavedSearchStore(connection), directory, clock, newId: uuid });
  const maintenances = new Maintenances({ store, integrations, clock, newId: uuid });
  const policies = new Policies({ store, directory, clock, newId: uuid });
  const alerts = new ReadAlerts({ reader, directory, searches, commands: settledCommands(progress) });
  const evaluation = new EvaluatePolicies({ rules, alerts, reader, directory, integrations, clock, newId: uuid });
  const files = new MongoAttachmentStore(connection);
  const requests = openRequests(context, connection);
  const stampLedger = new MongoStampLedger(connection);
  const stamps = new AuditStamps(stampLedger);

  await replicas.start();
  // HTTP starts first: after a crash the consumer groups wait for the dead member, and readers must not.
  await kit.serve(
    context,
    createApp({
      ...kit.appOptions(context),
      alerts,
      explanations: new ExplainAlerts({ alerts, reader, directory }),
      attachments: openAttachments(context, files, alerts),
      requests,
      searches,
      maintenances,
      policies,
      evaluation,
      simulations: openSimulations(context, evaluation, directory),
      names: directory,
      ledger: { stamps, settled: new MongoRequestStatuses(connection) },
    }),
  );
  await startCommands(context, { connection, publisher, commands });
  await startDecisions(context, connection, publisher);
  kit.startDueWork(context, dueWork);
  sweepAttachments(context, files);
  sweepRetained(context, new MongoRetainedRows(connection));
  sweepMaintenances(context, maintenances);
  auditAlerts(context, { connection, publisher, stamps, ledger: stampLedger });
}

interface DueAlertParts {
  readonly connection: Connection;
  readonly progress: CommandProgress;
  readonly parts: Parameters<typeof alertDueWork>[0];
}

/** What alerts do by themselves. It waits for the commands that were accepted before. */
function openDueAlerts(
  context: kit.ServiceContext<Config>,
  { connection, parts, progress }: DueAlertParts,
): DueWork<AlertDocument, PreparedDue> {
  const { clock, logger } = context;
  const onStuck = (partition: number): void => {
    const text = 'commands of a partition are not settled; what is due of alerts does not wait for them any more';
    logger.error({ topic: AlertCommands.name, partition }, text);
  };
  const settledUntil = new SettledUntil({ progress, clock, nowMs: monotonicMs, onStuck });
  return kit.openDueWork<AlertDocument, PreparedDue>(context, {
    connection,
    ...alertDueWork(parts),
    dueUntil: (earliest) => settledUntil.reach(earliest),
  });
}

function sweepMaintenances(context: kit.ServiceContext<Config>, maintenances: Maintenances): void {
  const removals = [(until: Date) => maintenances.forget(until)];
  kit.sweepRetained(context, { name: 'retention-maintenance', days: TOPIC_DAYS, removals });
}

const MEBIBYTE = 1_048_576;

/** The links that it signs open files and nothing else. */
function openAttachments(
  { clock, config, metrics }: kit.ServiceContext<Config>,
  store: MongoAttachmentStore,
  alerts: ReadAlerts,
): Attachments {
  const mailFiles = new MailFileBudget({
    store,
    inAll: config.mailFilesMb * MEBIBYTE,
    perIntegration: config.mailFilesMbPerIntegration * MEBIBYTE,
  });
  const onLeftOut = () => {
    metrics.count('tocsin_mail_files_left_out_total');
  };
  const links = new LinkSigner(config.common.signingKeys, 'file');
  return new Attachments({ store, alerts, links, mailFiles, onLeftOut, clock });
}

/** Scheduling and the notifier simulate their own parts. */
function openSimulations(
  context: kit.ServiceContext<Config>,
  evaluation: EvaluatePolicies,
  directory: ResponderDirectory,
): SimulateAlerts {
  return new SimulateAlerts({
    evaluation,
    directory,
    runs: new HttpSimulator(kit.internalClient(context, 'scheduling'), SimulatedRun),
    pages: new HttpSimulator(kit.internalClient(context, 'notifier'), SimulatedMessages),
  });
}

function startCommands(
  context: kit.ServiceContext<Config>,
  { commands, connection, publisher }: CommandParts,
): Promise<void> {
  return kit.startConsumer(context, {
    group: 'alert-processor',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(AlertCommands, alertCommandsHandler(commands))],
    reportsBacklogOf: AlertCommands,
  });
}

interface CommandParts {
  readonly connection: Connection;
  readonly publisher: BatchingPublisher;
  readonly commands: SettleAlertCommands;
}

/** A decision that is written twice is one document, so Kafka keeps the position and no transaction is needed. */
function startDecisions(
  context: kit.ServiceContext<Config>,
  connection: Connection,
  publisher: BatchingPublisher,
): Promise<void> {
  return kit.startConsumer(context, {
    group: 'alert-processor-decisions',
    publisher,
    subscriptions: [subscription(Decisions, decisionsHandler(new MongoDecisionLog(connection)))],
  });
}

function openRequests({ clock, config }: kit.ServiceContext<Config>, connection: Connection): ReadRequestStatus {
  const statuses = new MongoRequestStatuses(connection);
  const find = async (requestIds: readonly string[]) =>
    new Map((await statuses.find(requestIds)).map((status) => [status.requestId, status]));
  const fresh = new SharedPoll({ find, pause, nowMs: monotonicMs });
  return new ReadRequestStatus({ statuses, fresh, clock, retentionDays: config.requestStatusRetentionDays });
}

async function commandProgress(context: kit.ServiceContext<Config>, connection: Connection): Promise<CommandProgress> {
  const kafka = await kit.kafkaOf(context);
  const checkpoints = new MongoCheckpoints(connection);
  const positions = async (partitions: readonly number[]) => {
    const found = await reading(checkpoints.read(AlertCommands.name, partitions));
    return new Map(found.map(({ offset, partition }) => [partition, offset]));
  };
  const bounds = () => logBounds(kafka, AlertCommands);
  const onKafka = (state: 'open' | 'closed', error?: unknown): void => {
    if (state === 'open') context.logger.warn({ err: error }, KAFKA_IS_AWAY);
    else context.logger.info(KAFKA_IS_BACK);
  };
  return new CommandProgress({ logBounds: bounds, positions, nowMs: monotonicMs, onKafka });
}

const settledCommands = (progress: CommandProgress): SettledCommands =>
  new SettledCommands({ progress, pause, nowMs: monotonicMs });

const monotonicMs = (): number => performance.now();
