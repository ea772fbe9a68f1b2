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
import { MongoCheckpoints, type Connection, type IndexPlan } from '@tocsin/persistence';
import * as kit from '@tocsin/service-kit';
import type { Timers } from '@tocsin/timers';
import { createApp } from './app.ts';
import { Attachments } from './application/attachments.ts';
import { AuditStamps } from './application/audit-stamps.ts';
import { CurrentRules } from './application/current-rules.ts';
import { CurrentWebhooks } from './application/current-webhooks.ts';
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
import { SharedPoll } from './application/shared-poll.ts';
import { SettleAlertCommands } from './application/settle-alert-commands.ts';
import type { Config } from './config.ts';
import { ALARM_KINDS, type TimerPayload } from './domain/alarms.ts';
import { alertCommandsHandler } from './events/alert-commands-handler.ts';
import { decisionsHandler } from './events/decisions-handler.ts';
import { tellSettled } from './events/tell-settled.ts';
import { auditAlerts } from './jobs/audit-alerts.ts';
import { sweepAttachments } from './jobs/sweep-attachments.ts';
import { sweepRetained } from './jobs/sweep-retained.ts';
import { TimerCommands } from './jobs/timer-commands.ts';
import { indexPlans, TIMERS } from './storage/collections.ts';
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

/** No search that its pool lets in waits for a connection. */
const SEARCH_POOL = { connections: SEARCH_CONNECTIONS, waitMs: SEARCH_WAIT_MS };

const ALARM_TIMERS = { collection: TIMERS, kinds: ALARM_KINDS };

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
  const remove: Timers<TimerPayload>['remove'] = (due) => timers.remove(due);
  const { fire } = new TimerCommands({ publisher, remove, clock });
  const timers = kit.openTimers<TimerPayload>(context, { connection, ...ALARM_TIMERS, fire });
  const reader = new MongoAlertReader(connection, await kit.openMongoApart(context, 'searches', SEARCH_POOL));
  const ledger = new MongoAlertLedger({ connection, outbox, timers });
  const tinyIds = new MongoTinyIds(connection);
  const store = new MongoConfigurationStore(connection);
  const rules = new CurrentRules(store, config.accountTimezone);
  const onSettled = tellSettled(context);
  const webhooks = new CurrentWebhooks(integrations);
  const commands = new SettleAlertCommands({ ledger, reader, tinyIds, rules, webhooks, directory, clock, onSettled });
  const searches = new SavedSearches({ store: new MongoSavedSearchStore(connection), directory, clock, newId: uuid });
  const maintenances = new Maintenances({ store, integrations, clock, newId: uuid });
  const policies = new Policies({ store, directory, clock, newId: uuid });
  const alerts = new ReadAlerts({ reader, directory, searches, commands: await settledCommands(context, connection) });
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
  await kit.startConsumer(context, {
    group: 'alert-processor',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(AlertCommands, alertCommandsHandler(commands))],
    reportsBacklogOf: AlertCommands,
  });
  await startDecisions(context, connection, publisher);
  await kit.startTimers(context, timers);
  sweepAttachments(context, files);
  sweepRetained(context, new MongoRetainedRows(connection));
  sweepMaintenances(context, maintenances);
  auditAlerts(context, { connection, publisher, stamps, ledger: stampLedger });
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

async function settledCommands(context: kit.ServiceContext<Config>, connection: Connection): Promise<SettledCommands> {
  const kafka = await kit.kafkaOf(context);
  const checkpoints = new MongoCheckpoints(connection);
  const positions = async (partitions: readonly number[]) => {
    const found = await reading(checkpoints.read(AlertCommands.name, partitions));
    return new Map(found.map(({ offset, partition }) => [partition, offset]));
  };
  const bounds = () => logBounds(kafka, AlertCommands);
  const onKafka = (state: 'open' | 'closed', error?: unknown): void => {
    if (state === 'open') context.logger.warn({ err: error }, 'Kafka does not answer: reads by alias do not wait');
    else context.logger.info('Kafka answers again: reads by alias wait for accepted commands');
  };
  return new SettledCommands({ logBounds: bounds, positions, pause, nowMs: monotonicMs, onKafka });
}

const monotonicMs = (): number => performance.now();
