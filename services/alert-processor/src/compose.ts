import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import {
  AlertCommands,
  AlertEvents,
  Backlogs,
  Decisions,
  Integrations,
  SimulatedMessages,
  SimulatedRun,
  TOPIC_DAYS,
  WebhookCommands,
} from '@tocsin/events';
import { LinkSigner } from '@tocsin/http';
import { addResponders, consume, logBounds, type BatchingPublisher } from '@tocsin/kafka';
import { idempotentWrites, inTransaction, type Connection, type DueWork, type IndexPlan } from '@tocsin/mongo';
import * as kit from '@tocsin/service';
import { createApp, SEARCH_CONNECTIONS, SEARCH_WAIT_MS } from './app.ts';
import { Attachments, MailFileBudget } from './attachments/operations.ts';
import { Reconciliation } from './requests/reconciliation-operations.ts';
import { CommandProgress } from './requests/progress/command-progress.ts';
import { CurrentRules } from './policies/apply-operations.ts';
import { CurrentWebhooks } from './webhooks/operations.ts';
import { DueAlerts, type PreparedDue } from './alerts/due-operations.ts';
import { SimulateAlerts } from './explain/simulate-operations.ts';
import { HttpSimulator } from './explain/simulator-client.ts';
import { EvaluatePolicies } from './policies/evaluate-operations.ts';
import { ReadNextPages } from './explain/next-page-operations.ts';
import { ExplainAlerts } from './explain/operations.ts';
import { Maintenances } from './maintenance/operations.ts';
import { Policies } from './policies/operations.ts';
import { ReadAlerts } from './alerts/operations.ts';
import { ReadRequestStatus } from './requests/operations.ts';
import { SavedSearches } from './searches/operations.ts';
import { ProcessedCommands } from './requests/progress/processed-commands.ts';
import { KAFKA_TIMEOUT_MS, ProcessedUntil } from './requests/progress/processed-until.ts';
import { SharedPoll } from './requests/progress/shared-poll.ts';
import type { HookItemResult } from './alerts/hook-outcome.ts';
import { alertCommands, CommandBatches, reportProcessed } from './alerts/consumer.ts';
import { CommandTrials } from './alerts/trial-operations.ts';
import type { Config } from './config.ts';
import { decisionsIntoLogs } from './alert-log/consumer.ts';
import { commandProcessors, consumeCommands } from './compose-consumers.ts';
import { sweepAttachments } from './attachments/task.ts';
import { sweepRetained } from './alerts/retention-task.ts';
import type { AlertDocument } from './alerts/document.ts';
import { alertDueWork } from './alerts/due-store.ts';
import { positionsOf } from './requests/lanes/bulk-log-store.ts';
import { indexPlans } from './database.ts';
import { ResponderDirectory } from './responders/client.ts';
import { AlertStore } from './alerts/store.ts';
import { AlertReader } from './alerts/reader-store.ts';
import { MongoConfigurationStore } from './policies/store.ts';
import { AttachmentStore } from './attachments/store.ts';
import { DecisionStore } from './alert-log/store.ts';
import { RequestStatusStore } from './requests/store.ts';
import { RetentionStore } from './alerts/retention-store.ts';
import { SavedSearchStore } from './searches/store.ts';
import { SequenceStore } from './requests/sequence-store.ts';
import { TinyIdStore } from './alerts/tiny-id-store.ts';

/** The parts that read the progress of commands from Kafka, and how long they wait for an answer. */
const READS = { whileUnavailable: 'reads by alias do not wait', again: 'reads by alias wait for accepted commands' };
const DUE = {
  whileUnavailable: 'the due work of alerts is not done',
  again: 'the due work of alerts is done',
  kafkaTimeoutMs: KAFKA_TIMEOUT_MS,
};

/** No search that its pool lets in waits for a connection. */
const SEARCH_POOL = { connections: SEARCH_CONNECTIONS, waitMs: SEARCH_WAIT_MS };

/** All indexes of this service's collections. */
export const INDEXES: readonly IndexPlan[] = indexPlans;

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: kit.ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await kit.openMongo(context, INDEXES);
  const publisher = await kit.openPublisher(context);
  const outbox = await kit.openOutbox(context, connection, publisher, [AlertEvents, WebhookCommands]);
  const replicas = await kit.openReplicas(context);
  const directory = new ResponderDirectory(addResponders(replicas));
  const integrations = replicas.add(Integrations, { owner: 'alert-ingest' });
  const backlogs = replicas.add(Backlogs, {});
  const progress = await commandProgress(context, connection, READS);
  const dueProgress = await commandProgress(context, connection, DUE);
  const dueParts = () => ({ dueAlerts, ledger });
  const dueWork = openDueAlerts(context, { connection, progress: dueProgress, parts: dueParts });
  const reader = new AlertReader(connection, await kit.openMongoApart(context, 'searches', SEARCH_POOL));
  const ledger: AlertStore = new AlertStore({ connection, outbox, dueWork });
  const tinyIds = new TinyIdStore(connection);
  const store = new MongoConfigurationStore(connection);
  const rules = new CurrentRules(store, config.accountTimezone);
  const onProcessed = reportProcessed(context);
  const webhooks = new CurrentWebhooks(integrations);
  const onHookItem = (item: HookItemResult) => {
    context.metrics.hookItemSettled(item);
  };
  const commands = new CommandBatches({ tinyIds, rules, webhooks, directory, clock, onProcessed, onHookItem });
  const dueAlerts: DueAlerts = new DueAlerts({ rules, webhooks, directory, clock });
  const searches = new SavedSearches({ store: new SavedSearchStore(connection), directory, clock, newId: uuid });
  const maintenances = new Maintenances({ store, integrations, clock, newId: uuid });
  const policies = new Policies({ store, directory, clock, newId: uuid });
  const alerts = new ReadAlerts({ reader, directory, searches, commands: processedCommands(progress) });
  const evaluation = new EvaluatePolicies({ rules, alerts, reader, directory, integrations, clock, newId: uuid });
  const files = new AttachmentStore(connection);
  const requests = openRequests(context, connection);
  const sequenceStore = new SequenceStore(connection);
  const reconciliation = new Reconciliation(sequenceStore);

  await replicas.start();
  // HTTP starts first: after a crash the consumer groups wait for the dead member, and readers must not.
  await kit.serve(
    context,
    createApp({
      ...kit.appOptions(context),
      alerts,
      commandTrials: new CommandTrials({
        batches: commands,
        read: (sent) => inTransaction(connection, (session) => ledger.read(sent, session)),
      }),
      explanations: new ExplainAlerts({ alerts, reader, directory }),
      nextPages: openNextPages(context, alerts),
      attachments: openAttachments(context, files, alerts),
      requests,
      searches,
      maintenances,
      policies,
      evaluation,
      simulations: openSimulations(context, evaluation, directory),
      names: directory,
      ledger: { reconciliation, processed: new RequestStatusStore(connection) },
    }),
  );
  // It waits for all accepted commands, not only for those in the partitions of this process.
  kit.startDueWork(context, dueWork);
  const processors = commandProcessors(connection, alertCommands(commands, ledger));
  await consumeCommands(context, { connection, publisher, processors, backlogs });
  await startDecisions(context, connection, publisher);
  sweepAttachments(context, files);
  sweepRetained(context, new RetentionStore(connection));
  sweepMaintenances(context, maintenances);
  auditAlerts(context, { connection, publisher, reconciliation, ledger: sequenceStore });
}

interface DueAlertParts {
  readonly connection: Connection;
  readonly progress: CommandProgress;
  readonly parts: Parameters<typeof alertDueWork>[0];
}

/** The due work of alerts. It waits for the commands that were accepted before. */
function openDueAlerts(
  context: kit.ServiceContext<Config>,
  { connection, parts, progress }: DueAlertParts,
): DueWork<AlertDocument, PreparedDue> {
  const { clock, logger } = context;
  const onStuck = (partition: number): void => {
    const text = 'commands of a partition are not processed; the due work of alerts does not wait for them any more';
    logger.error({ topic: AlertCommands.name, partition }, text);
  };
  const processedUntil = new ProcessedUntil({ progress, clock, nowMs: monotonicMs, onStuck });
  return kit.openDueWork<AlertDocument, PreparedDue>(context, {
    connection,
    ...alertDueWork(parts),
    dueUntil: (earliest) => processedUntil.reach(earliest),
  });
}

interface AlertAuditParts {
  readonly connection: Connection;
  readonly publisher: Pick<BatchingPublisher, 'publish'>;
  readonly reconciliation: Reconciliation;
  readonly ledger: Pick<SequenceStore, 'remove'>;
}

/**
 * Audits accepted commands until the stop. It removes reports of processes once Kafka has dropped their commands
 * (promise 1).
 */
function auditAlerts(
  context: kit.ServiceContext<Config>,
  { connection, ledger, publisher, reconciliation }: AlertAuditParts,
): void {
  const removals = [(until: Date) => ledger.remove(until)];
  kit.sweepRetained(context, {
    name: 'retention-sequences',
    days: TOPIC_DAYS,
    removals,
  });
  kit.startAudit(context, {
    connection,
    publisher,
    responders: context.config.auditResponders,
    gauge: 'tocsin_alerts_unsettled',
    audit: {
      kind: 'alerts',
      what: 'accepted alerts are not settled',
      look: (now) => reconciliation.look(now),
    },
  });
}

function sweepMaintenances(context: kit.ServiceContext<Config>, maintenances: Maintenances): void {
  const removals = [(until: Date) => maintenances.forget(until)];
  kit.sweepRetained(context, { name: 'retention-maintenance', days: TOPIC_DAYS, removals });
}

const MEBIBYTE = 1_048_576;

/** A signer for links to files alone. */
function openAttachments(
  { clock, config, metrics }: kit.ServiceContext<Config>,
  store: AttachmentStore,
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

/** The rules of scheduling fire, and notifier sends the messages of pages. */
const openNextPages = (context: kit.ServiceContext<Config>, alerts: ReadAlerts): ReadNextPages =>
  new ReadNextPages({
    alerts,
    pagers: (['scheduling', 'notifier'] as const).map((service) => kit.internalClient(context, service)),
  });

/** A decision that is written twice is one document, so Kafka keeps the position and no transaction is needed. */
async function startDecisions(
  context: kit.ServiceContext<Config>,
  connection: Connection,
  publisher: BatchingPublisher,
): Promise<void> {
  await kit.startConsumer(context, {
    group: 'alert-processor-decisions',
    // No caller waits for the log of an alert.
    gatherMs: 1_000,
    publisher,
    subscriptions: [consume(Decisions, decisionsIntoLogs(new DecisionStore(connection)), idempotentWrites)],
  });
}

function openRequests({ clock, config }: kit.ServiceContext<Config>, connection: Connection): ReadRequestStatus {
  const statuses = new RequestStatusStore(connection);
  const find = async (requestIds: readonly string[]) =>
    new Map((await statuses.find(requestIds)).map((status) => [status.requestId, status]));
  const fresh = new SharedPoll({ find, pause, nowMs: monotonicMs });
  return new ReadRequestStatus({ statuses, fresh, clock, retentionDays: config.requestStatusRetentionDays });
}

async function commandProgress(
  context: kit.ServiceContext<Config>,
  connection: Connection,
  { again, kafkaTimeoutMs, whileUnavailable }: typeof READS & { readonly kafkaTimeoutMs?: number },
): Promise<CommandProgress> {
  const kafka = await kit.kafkaOf(context);
  const positions = positionsOf(connection, AlertCommands);
  const bounds = () => logBounds(kafka, AlertCommands);
  const onKafka = (state: 'open' | 'closed', error?: unknown): void => {
    if (state === 'open') context.logger.warn({ err: error }, `Kafka does not answer: ${whileUnavailable}`);
    else context.logger.info(`Kafka answers again: ${again}`);
  };
  const ports = { logBounds: bounds, positions, nowMs: monotonicMs, onKafka };
  return new CommandProgress({ ...ports, ...(kafkaTimeoutMs !== undefined && { kafkaTimeoutMs }) });
}

const processedCommands = (progress: CommandProgress): ProcessedCommands =>
  new ProcessedCommands({ progress, pause, nowMs: monotonicMs });

const monotonicMs = (): number => performance.now();
