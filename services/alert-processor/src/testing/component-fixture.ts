import type { RequestListener } from 'node:http';
import request, { type Response } from 'supertest';
import { ManualClock } from '@tocsin/core';
import {
  AlertEvents,
  WebhookCommands,
  type AlertCommand,
  type AlertEvent,
  type WebhookCommand,
  type Decision,
  type EscalationState,
  type IntegrationState,
  type ScheduleState,
  type BatchResult,
  type TeamState,
  type UserState,
} from '@tocsin/events';
import {
  LinkSigner,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
  type Caller,
  type KeyPrincipal,
  type UserPrincipal,
} from '@tocsin/http';
import {
  MemoryReplica,
  RecordingPublisher,
  RESPONDER_INDEXES,
  Responders,
  StagedProcessor,
  type BatchProcessor,
} from '@tocsin/kafka';
import { CheckpointTransactions, collectionOf, inTransaction, Outbox, type Connection } from '@tocsin/mongo';
import { accountKey } from '@tocsin/testkit';
import { createApp } from '../app.ts';
import type { AlertDocument } from '../alerts/document.ts';
import { alertDueWork } from '../alerts/due-store.ts';
import { AlertReader } from '../alerts/reader-store.ts';
import { AlertStore } from '../alerts/store.ts';
import type { AttachmentDocument } from '../attachments/attachment.ts';
import { ALERTS, ATTACHMENTS, OPEN_ALIAS } from '../database.ts';
import { MongoConfigurationStore } from '../policies/store.ts';
import { useDatabase } from './mongo-fixture.ts';
import { Attachments } from '../attachments/operations.ts';
import { batchOf } from './batch-samples.ts';
import { Reconciliation } from '../requests/reconciliation-operations.ts';
import { CommandProgress } from '../requests/progress/command-progress.ts';
import { CurrentRules } from '../policies/apply-operations.ts';
import { CurrentWebhooks } from '../webhooks/operations.ts';
import { DueAlerts } from '../alerts/due-operations.ts';
import { EvaluatePolicies } from '../policies/evaluate-operations.ts';
import { ReadNextPages } from '../explain/next-page-operations.ts';
import { ExplainAlerts } from '../explain/operations.ts';
import { Maintenances } from '../maintenance/operations.ts';
import { ReadAlerts } from '../alerts/operations.ts';
import { ReadRequestStatus } from '../requests/operations.ts';
import { decisionEntries } from '../alert-log/consumer.ts';
import { ProcessedCommands } from '../requests/progress/processed-commands.ts';
import { SharedPoll } from '../requests/progress/shared-poll.ts';
import { SavedSearches } from '../searches/operations.ts';
import { Policies } from '../policies/operations.ts';
import { SimulateAlerts } from '../explain/simulate-operations.ts';
import { alertCommands, CommandBatches } from '../alerts/consumer.ts';
import { CommandTrials } from '../alerts/trial-operations.ts';
import { ACCEPTED_AT } from './commands-samples.ts';
import type { RequestStatus } from '../requests/request-status.ts';
import { ScriptedSimulators } from './scripted-simulators.ts';
import { ResponderDirectory } from '../responders/client.ts';
import { AttachmentStore } from '../attachments/store.ts';
import { DecisionStore } from '../alert-log/store.ts';
import { RequestStatusStore } from '../requests/store.ts';
import { SavedSearchStore } from '../searches/store.ts';
import { SequenceStore } from '../requests/sequence-store.ts';
import { TinyIdStore } from '../alerts/tiny-id-store.ts';

const silent = { warn: () => undefined, error: () => undefined };

const SIGNING_KEY = 'a secret of component tests, 32 characters';

export const team = (id: string, name: string): TeamState => ({
  id,
  name,
  description: '',
  members: [],
  routingRules: [],
});

/** The stores of the service, and what it wrote for publishing. */
interface Stores {
  readonly alerts: AlertReader;
  readonly statuses: RequestStatusStore;
  readonly attachments: AttachmentStore;
  readonly decisionLog: DecisionStore;
  readonly tinyIds: TinyIdStore;
  /** All files, with or without an alert, by id. */
  readonly files: () => Promise<readonly AttachmentDocument[]>;
  /** The events that were written for publishing, in order. */
  readonly events: () => Promise<readonly AlertEvent[]>;
  /** The webhook commands that were written for publishing, in order. */
  readonly webhooks: () => Promise<readonly WebhookCommand[]>;
}

/** The service, as component tests drive it. */
export interface Component {
  readonly app: RequestListener;
  readonly clock: ManualClock;
  /** The headers by which the gateway, or another service, vouches for a caller; by default an account-wide key. */
  readonly vouched: (caller?: Caller) => Promise<Record<string, string>>;
  /** Processes batches of commands. */
  readonly commands: BatchProcessor<AlertCommand>;
  readonly connection: Connection;
  /** The policies and maintenance windows. */
  readonly configuration: MongoConfigurationStore;
  readonly integrations: MemoryReplica<IntegrationState>;
  readonly maintenances: Maintenances;
  readonly replicas: {
    readonly user: MemoryReplica<UserState>;
    readonly team: MemoryReplica<TeamState>;
    readonly schedule: MemoryReplica<ScheduleState>;
    readonly escalation: MemoryReplica<EscalationState>;
  };
  readonly ledger: SequenceStore;
  readonly savedSearches: SavedSearchStore;
  readonly processed: readonly { readonly status: RequestStatus; readonly seconds: number }[];
  /** What the items of requests of tools came to, each with its preset. */
  readonly hookItems: readonly string[];
  /** The doubles of scheduling and the notifier for simulations. */
  readonly simulators: ScriptedSimulators;
  readonly store: Stores;
  /** Callbacks that run in order, one per poll. */
  readonly whilePaused: (() => Promise<unknown>)[];
  /** How often a poller has paused. */
  readonly pauses: () => number;
  /** Changes what Kafka answers about the log of commands, whose one partition `apply` processes. */
  readonly kafka: { unsettled: number; isUnavailable: boolean; asked: number };
  /** Processes commands as one batch, at the next offsets. */
  readonly apply: (...batch: AlertCommand[]) => Promise<BatchResult>;
  /** Moves the clock to an instant and does the due work then. */
  readonly elapse: (instant: string) => Promise<void>;
  /** Writes decisions into the logs of alerts. */
  readonly record: (...decisions: Decision[]) => Promise<void>;
  /** Sends a GET with an account-wide key, changed by `principal`. */
  readonly get: (path: string, principal?: Partial<KeyPrincipal> | UserPrincipal) => Promise<Response>;
  /** Like `get`, with any method and a body. */
  readonly send: (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
    principal?: Partial<KeyPrincipal> | UserPrincipal,
  ) => Promise<Response>;
}

const database = useDatabase();

/** The whole service on an empty database, on a manual clock one second after `ACCEPTED_AT`. */
export async function setUp(): Promise<Component> {
  const connection = await database();
  const clock = new ManualClock(new Date(Date.parse(ACCEPTED_AT) + 1_000));
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({
    connection,
    publisher,
    topics: [AlertEvents, WebhookCommands],
    logger: silent,
  });
  const alertStore = new AlertStore({
    connection,
    outbox,
    dueWork: { wakeAfterCommit: () => undefined },
  });
  const reader = new AlertReader(connection);
  const statuses = new RequestStatusStore(connection);
  const attachments = new AttachmentStore(connection);
  const decisionLog = new DecisionStore(connection);
  const tinyIds = new TinyIdStore(connection);
  const replicas = {
    user: new MemoryReplica<UserState>(RESPONDER_INDEXES.user),
    team: new MemoryReplica<TeamState>(RESPONDER_INDEXES.team),
    schedule: new MemoryReplica<ScheduleState>(RESPONDER_INDEXES.schedule),
    escalation: new MemoryReplica<EscalationState>(RESPONDER_INDEXES.escalation),
  };
  const processed: { readonly status: RequestStatus; readonly seconds: number }[] = [];
  const hookItems: string[] = [];
  const integrations = new MemoryReplica<IntegrationState>();
  const configuration = new MongoConfigurationStore(connection);
  const rules = new CurrentRules(configuration, 'Europe/Berlin');
  const webhooks = new CurrentWebhooks(integrations);
  const directory = new ResponderDirectory(new Responders(replicas));
  const dueAlerts = new DueAlerts({ rules, webhooks, directory, clock });
  const applyCommands = new CommandBatches({
    tinyIds,
    rules,
    webhooks,
    directory,
    clock,
    onProcessed: (status, seconds) => processed.push({ status, seconds }),
    onHookItem: ({ preset, outcome }) => hookItems.push(`${preset} ${outcome}`),
  });
  const commands = new StagedProcessor(
    alertCommands(applyCommands, alertStore),
    new CheckpointTransactions({ connection, racingIndexes: [OPEN_ALIAS] }),
  );
  let pauses = 0;
  const whilePaused: (() => Promise<unknown>)[] = [];
  let nowMs = 0;
  const pause = async (milliseconds: number) => {
    pauses += 1;
    nowMs += milliseconds;
    await whilePaused.shift()?.();
  };
  const fresh = new SharedPoll({
    find: async (requestIds: readonly string[]) =>
      new Map((await statuses.find(requestIds)).map((status) => [status.requestId, status])),
    pause,
    nowMs: () => nowMs,
  });
  let offset = 0;
  const kafka = { unsettled: 0, isUnavailable: false, asked: 0 };
  const progress = new CommandProgress({
    logBounds: () => {
      kafka.asked += 1;
      if (kafka.isUnavailable) return Promise.reject(new Error('Kafka is unavailable.'));
      return Promise.resolve(new Map([[0, { start: 0, end: offset + kafka.unsettled }]]));
    },
    positions: () => Promise.resolve(new Map([[0, offset]])),
    nowMs: () => nowMs,
    onKafka: () => undefined,
  });
  const processedCommands = new ProcessedCommands({ progress, pause, nowMs: () => nowMs });
  let searchIds = 0;
  const savedSearches = new SavedSearchStore(connection);
  const searches = new SavedSearches({
    store: savedSearches,
    directory,
    clock,
    newId: () => `search-${String((searchIds += 1))}`,
  });
  let policyIds = 0;
  const policies = new Policies({
    store: configuration,
    directory,
    clock,
    newId: () => `policy-${String((policyIds += 1))}`,
  });
  const alerts = new ReadAlerts({ reader, directory, searches, commands: processedCommands });
  let maintenanceIds = 0;
  const maintenances = new Maintenances({
    store: configuration,
    integrations,
    clock,
    newId: () => `maintenance-${String((maintenanceIds += 1))}`,
  });
  const ledger = new SequenceStore(connection);
  const evaluation = new EvaluatePolicies({
    rules,
    alerts,
    reader,
    directory,
    integrations,
    clock,
    newId: () => 'evaluated-alert',
  });
  const simulators = new ScriptedSimulators();
  const commandTrials = new CommandTrials({
    batches: applyCommands,
    read: (sent) => inTransaction(connection, (session) => alertStore.read(sent, session)),
  });
  const app = createApp({
    commandTrials,
    ledger: { reconciliation: new Reconciliation(ledger), processed: statuses },
    searches,
    alerts,
    explanations: new ExplainAlerts({ alerts, reader, directory }),
    nextPages: new ReadNextPages({ alerts, pagers: simulators.pagers }),
    maintenances,
    policies,
    evaluation,
    simulations: new SimulateAlerts({ evaluation, directory, runs: simulators.runs, pages: simulators.pages }),
    names: directory,
    attachments: new Attachments({
      store: attachments,
      alerts,
      links: new LinkSigner([SIGNING_KEY], 'file'),
      // There is no space for files of mails to the integration `full`.
      mailFiles: { take: (integrationId) => Promise.resolve(integrationId !== 'full') },
      onLeftOut: () => undefined,
      clock,
    }),
    requests: new ReadRequestStatus({ statuses, fresh, clock, retentionDays: 7 }),
    verifier: new PrincipalVerifier([SIGNING_KEY], 'alert-processor'),
    clock,
    onDefect: (error) => {
      throw new Error('unexpected defect', { cause: error });
    },
    meaningOf: (error) => error,
  });

  const publishedOn = async (wanted: string) => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === wanted).map(({ message }) => message);
  };

  const signer = new PrincipalSigner([SIGNING_KEY]);
  const vouched: Component['vouched'] = async (caller = accountKey) => ({
    [PRINCIPAL_HEADER]: await signer.sign(caller, 'alert-processor', clock.now()),
    'x-tocsin-public-url': 'https://alerts.example.com',
  });
  const send: Component['send'] = async (method, path, body, principal = {}) =>
    request(app)
      [method](path)
      .set(await vouched({ ...accountKey, ...principal }))
      .send(body);
  return {
    app,
    clock,
    vouched,
    commands,
    integrations,
    ledger,
    savedSearches,
    maintenances,
    replicas,
    processed,
    hookItems,
    simulators,
    connection,
    store: {
      alerts: reader,
      statuses,
      attachments,
      decisionLog,
      tinyIds,
      files: () =>
        collectionOf<AttachmentDocument>(connection, ATTACHMENTS)
          .find({}, { sort: { _id: 1 } })
          .toArray(),
      events: async () => (await publishedOn(AlertEvents.name)) as readonly AlertEvent[],
      webhooks: async () => (await publishedOn(WebhookCommands.name)) as readonly WebhookCommand[],
    },
    configuration,
    kafka,
    whilePaused,
    pauses: () => pauses,
    apply: async (...batch) => {
      const result = await commands.process([batchOf(batch, offset)]);
      offset += batch.length;
      return result;
    },
    elapse: async (instant) => {
      const until = new Date(instant);
      clock.moveTo(until);
      const { prepare, process } = alertDueWork(() => ({
        dueAlerts,
        ledger: alertStore,
      }));
      const due = await collectionOf<AlertDocument>(connection, ALERTS)
        .find({ nextDueAt: { $lte: until } })
        .toArray();
      const prepared = await prepare(due, until);
      await inTransaction(connection, (session) => process(session, due, prepared, { onlyFirstItem: false }));
    },
    record: (...batch) => decisionLog.append(batch.flatMap(decisionEntries)),
    get: (path, principal = {}) => send('get', path, undefined, principal),
    send,
  };
}
