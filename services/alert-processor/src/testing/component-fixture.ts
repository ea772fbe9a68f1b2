import type { RequestListener } from 'node:http';
import request, { type Response } from 'supertest';
import { ManualClock } from '@tocsin/clock';
import type {
  AlertCommand,
  Decision,
  EscalationState,
  IntegrationState,
  ScheduleState,
  Settlement,
  TeamState,
  UserState,
} from '@tocsin/contracts';
import {
  LinkSigner,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
  type Caller,
  type Principal,
} from '@tocsin/key-auth';
import { MemoryReplica, RESPONDER_INDEXES, Responders } from '@tocsin/messaging';
import { accountKey } from '@tocsin/testing';
import { createApp } from '../app.ts';
import { Attachments } from '../application/attachments.ts';
import { batchOf } from './batch-samples.ts';
import { AuditStamps } from '../application/audit-stamps.ts';
import { CommandProgress } from '../application/command-progress.ts';
import { CurrentRules } from '../application/current-rules.ts';
import { CurrentWebhooks } from '../application/current-webhooks.ts';
import { DueAlerts } from '../application/due-alerts.ts';
import { EvaluatePolicies } from '../application/evaluate-policies.ts';
import { ExplainAlerts } from '../application/explain-alerts.ts';
import { Maintenances } from '../application/maintenances.ts';
import { ReadAlerts } from '../application/read-alerts.ts';
import { ReadRequestStatus } from '../application/read-request-status.ts';
import { decisionEntries } from '../domain/decision-entries.ts';
import { SettledCommands } from '../application/settled-commands.ts';
import { SharedPoll } from '../application/shared-poll.ts';
import { SavedSearches } from '../application/saved-searches.ts';
import { Policies } from '../application/policies.ts';
import { SimulateAlerts } from '../application/simulate-alerts.ts';
import { SettleAlertCommands } from '../application/settle-alert-commands.ts';
import { ACCEPTED_AT } from './commands-samples.ts';
import type { RequestStatus } from '../domain/request-status.ts';
import { MemoryAlertStore } from './memory-alert-store.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { ScriptedSimulators } from './scripted-simulators.ts';
import { MemorySavedSearchStore } from './memory-saved-search-store.ts';
import { MemoryStampLedger } from './memory-stamp-ledger.ts';
import { ReplicaResponderDirectory } from '../storage/replica-responder-directory.ts';

const SIGNING_KEY = 'a secret of component tests, 32 characters';

export const team = (id: string, name: string): TeamState => ({
  id,
  name,
  description: '',
  members: [],
  routingRules: [],
});

/** The service, as component tests drive it. */
export interface Component {
  readonly app: RequestListener;
  readonly clock: ManualClock;
  /** The headers by which the gateway, or another service, vouches for a caller; by default an account-wide key. */
  readonly vouched: (caller?: Caller) => Promise<Record<string, string>>;
  readonly commands: SettleAlertCommands;
  /** The policies and maintenance windows. */
  readonly configuration: MemoryConfigurationStore;
  readonly integrations: MemoryReplica<IntegrationState>;
  readonly maintenances: Maintenances;
  readonly replicas: {
    readonly user: MemoryReplica<UserState>;
    readonly team: MemoryReplica<TeamState>;
    readonly schedule: MemoryReplica<ScheduleState>;
    readonly escalation: MemoryReplica<EscalationState>;
  };
  readonly ledger: MemoryStampLedger;
  readonly savedSearches: MemorySavedSearchStore;
  readonly settled: readonly { readonly status: RequestStatus; readonly seconds: number }[];
  /** The doubles of scheduling and the notifier for simulations. */
  readonly simulators: ScriptedSimulators;
  readonly store: MemoryAlertStore;
  /** Callbacks that run in order, one per poll. */
  readonly whilePaused: (() => Promise<unknown>)[];
  /** How often a poller has paused. */
  readonly pauses: () => number;
  /** Changes what Kafka answers about the log of commands, whose one partition `settle` settles. */
  readonly kafka: { unsettled: number; isAway: boolean; asked: number };
  /** Settles commands as one batch, at the next offsets. */
  readonly settle: (...batch: AlertCommand[]) => Promise<Settlement>;
  /** Moves the clock to an instant and does what is due then. */
  readonly elapse: (instant: string) => Promise<void>;
  /** Writes decisions into the logs of alerts. */
  readonly record: (...decisions: Decision[]) => Promise<void>;
  /** Sends a GET with an account-wide key, changed by `principal`. */
  readonly get: (path: string, principal?: Partial<Principal>) => Promise<Response>;
  /** Like `get`, with any method and a body. */
  readonly send: (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
    principal?: Partial<Principal>,
  ) => Promise<Response>;
}

/** The whole service in memory, on a manual clock one second after `ACCEPTED_AT`. */
export function setUp(): Component {
  const clock = new ManualClock(new Date(Date.parse(ACCEPTED_AT) + 1_000));
  const store = new MemoryAlertStore();
  const replicas = {
    user: new MemoryReplica<UserState>(RESPONDER_INDEXES.user),
    team: new MemoryReplica<TeamState>(RESPONDER_INDEXES.team),
    schedule: new MemoryReplica<ScheduleState>(RESPONDER_INDEXES.schedule),
    escalation: new MemoryReplica<EscalationState>(RESPONDER_INDEXES.escalation),
  };
  const settled: { readonly status: RequestStatus; readonly seconds: number }[] = [];
  const integrations = new MemoryReplica<IntegrationState>();
  const configuration = new MemoryConfigurationStore();
  const rules = new CurrentRules(configuration, 'Europe/Berlin');
  const webhooks = new CurrentWebhooks(integrations);
  const directory = new ReplicaResponderDirectory(new Responders(replicas));
  const dueAlerts = new DueAlerts({ rules, webhooks, directory, clock });
  const commands = new SettleAlertCommands({
    ledger: store.ledger,
    tinyIds: store.tinyIds,
    rules,
    webhooks,
    directory,
    clock,
    onSettled: (status, seconds) => settled.push({ status, seconds }),
  });
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
      new Map((await store.statuses.find(requestIds)).map((status) => [status.requestId, status])),
    pause,
    nowMs: () => nowMs,
  });
  let offset = 0;
  const kafka = { unsettled: 0, isAway: false, asked: 0 };
  const progress = new CommandProgress({
    logBounds: () => {
      kafka.asked += 1;
      if (kafka.isAway) return Promise.reject(new Error('Kafka is away.'));
      return Promise.resolve(new Map([[0, { start: 0, end: offset + kafka.unsettled }]]));
    },
    positions: () => Promise.resolve(new Map([[0, offset]])),
    nowMs: () => nowMs,
    onKafka: () => undefined,
  });
  const settledCommands = new SettledCommands({ progress, pause, nowMs: () => nowMs });
  let searchIds = 0;
  const savedSearches = new MemorySavedSearchStore();
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
  const alerts = new ReadAlerts({ reader: store, directory, searches, commands: settledCommands });
  let maintenanceIds = 0;
  const maintenances = new Maintenances({
    store: configuration,
    integrations,
    clock,
    newId: () => `maintenance-${String((maintenanceIds += 1))}`,
  });
  const ledger = new MemoryStampLedger();
  const countSince = (instant: Date) =>
    Promise.resolve(settled.filter(({ status }) => status.processedAt >= instant).length);
  const evaluation = new EvaluatePolicies({
    rules,
    alerts,
    reader: store,
    directory,
    integrations,
    clock,
    newId: () => 'evaluated-alert',
  });
  const simulators = new ScriptedSimulators();
  const app = createApp({
    ledger: { stamps: new AuditStamps(ledger), settled: { countSince } },
    searches,
    alerts,
    explanations: new ExplainAlerts({ alerts, reader: store, directory }),
    maintenances,
    policies,
    evaluation,
    simulations: new SimulateAlerts({ evaluation, directory, runs: simulators.runs, pages: simulators.pages }),
    names: directory,
    attachments: new Attachments({
      store: store.attachments,
      alerts,
      links: new LinkSigner([SIGNING_KEY], 'file'),
      // There is no space for files of mails to the integration `full`.
      mailFiles: { take: (integrationId) => Promise.resolve(integrationId !== 'full') },
      onLeftOut: () => undefined,
      clock,
    }),
    requests: new ReadRequestStatus({ statuses: store.statuses, fresh, clock, retentionDays: 7 }),
    verifier: new PrincipalVerifier([SIGNING_KEY], 'alert-processor'),
    clock,
    onDefect: (error) => {
      throw new Error('unexpected defect', { cause: error });
    },
    meaningOf: (error) => error,
  });

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
    settled,
    simulators,
    store,
    configuration,
    kafka,
    whilePaused,
    pauses: () => pauses,
    settle: async (...batch) => {
      const settlement = await commands.settle(batchOf(batch, offset));
      offset += batch.length;
      return settlement;
    },
    elapse: async (instant) => {
      const until = new Date(instant);
      clock.moveTo(until);
      const due = store.due(until);
      store.write(await dueAlerts.settle(due, await dueAlerts.prepare(due, until), { isCareful: false }));
    },
    record: (...batch) => store.decisionLog.append(batch.flatMap(decisionEntries)),
    get: (path, principal = {}) => send('get', path, undefined, principal),
    send,
  };
}
