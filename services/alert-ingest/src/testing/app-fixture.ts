import type { RequestListener } from 'node:http';
import { ManualClock } from '@tocsin/core';
import type { OnExcess } from '@tocsin/api';
import type { CommandTrial, EscalationState, ScheduleState, TeamState, TriedCommand, UserState } from '@tocsin/events';
import {
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
  type Caller,
  type KeyPrincipal,
  type OutgoingCaller,
} from '@tocsin/http';
import type { Connection } from '@tocsin/mongo';
import { MemoryReplica, RecordingPublisher, RESPONDER_INDEXES, Responders } from '@tocsin/kafka';
import request from 'supertest';
import { createApp } from '../compose.ts';
import { Hooks, type LostItems } from '../hooks/operations.ts';
import { Subscriptions } from '../hooks/subscription-operations.ts';
import { presetsOf, readSamples, SAMPLES_FOLDER } from '../hooks/preset-store.ts';
import { AlertWrites } from '../alerts/operations.ts';
import { IntegrationActions } from '../integrations/action-operations.ts';
import { IntegrationImports } from '../integrations/import-operations.ts';
import { Integrations, type IntegrationsOptions } from '../integrations/operations.ts';
import { CachedIntegrations } from '../integrations/cached-store.ts';
import { IntegrationStore } from '../integrations/store.ts';
import { Recorder } from '../samples/operations.ts';
import { SampleStore } from '../samples/store.ts';
import { OpsgenieKeyStore } from '../opsgenie-keys/store.ts';
import { TrafficStore } from '../traffic/store.ts';
import { NO_ANNOUNCEMENTS, useDatabase } from './mongo-fixture.ts';

const KEYS = ['a secret that only the services of a test know'];

/** A key of the whole account with every right. */
export const ACCOUNT: KeyPrincipal = {
  kind: 'key',
  integrationId: 'integration-1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayRead: true,
  mayWrite: true,
  mayConfigure: true,
};

/** A key of the team `team-1`. */
export const TEAM: KeyPrincipal = { ...ACCOUNT, integrationId: 'integration-2', teamId: 'team-1' };

/** Records the ids that are to be published, and refuses them after `refuseWith`. */
class RecordingAnnouncer {
  readonly insisted: string[] = [];
  #refusal: Error | undefined;

  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  publishNow(ids: readonly string[]): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    this.insisted.push(...ids);
    return Promise.resolve();
  }
}

/** Ids that look like UUIDs and count from 1, so that a test can foresee them. */
export function countingIds(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TestService {
  readonly app: RequestListener;
  readonly alertWrites: AlertWrites;
  readonly announcer: RecordingAnnouncer;
  readonly connection: Connection;
  /** One request by `caller`, `ACCOUNT` by default. */
  readonly call: (method: Method, path: string, body?: object, caller?: Caller) => Promise<Answer>;
  readonly clock: ManualClock;
  /** The preset and the outcome of each item of the requests of tools. */
  readonly hookItems: string[];
  /** Of which requests the log says that items are lost. */
  readonly lostItems: LostItems[];
  /** What alert-processor was asked. */
  readonly trials: CommandTrial[];
  readonly recorder: Recorder;
  /** The key with which the gateway signs principals. */
  readonly vouched: (caller: Caller) => Promise<string>;
  readonly publisher: RecordingPublisher;
  readonly schedules: MemoryReplica<ScheduleState>;
  readonly teams: MemoryReplica<TeamState>;
  readonly users: MemoryReplica<UserState>;
  readonly store: CachedIntegrations;
}

const NO_WAY_OUT: Pick<OutgoingCaller, 'call'> = {
  call: () => Promise.resolve({ kind: 'unreached', reason: 'there is no way out' }),
};

const database = useDatabase();

/** The real app on the database of the test run, which is empty, and on doubles of Kafka and the other services. */
export async function openService({
  onExcess = 'reject',
  keyOverlapMs = 3_600_000,
  webhookSamples = 20,
  amazon = NO_WAY_OUT,
  presetsDir,
  triedCommands = () => undefined,
}: {
  onExcess?: OnExcess;
  keyOverlapMs?: number;
  webhookSamples?: number;
  amazon?: Pick<OutgoingCaller, 'call'>;
  presetsDir?: string;
  triedCommands?: (trial: CommandTrial) => readonly TriedCommand[] | undefined;
} = {}): Promise<TestService> {
  const connection = await database();
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const publisher = new RecordingPublisher();
  const store = new CachedIntegrations(new IntegrationStore(connection, NO_ANNOUNCEMENTS));
  const announcer = new RecordingAnnouncer();
  const replicas = {
    teams: new MemoryReplica<TeamState>(RESPONDER_INDEXES.team),
    users: new MemoryReplica<UserState>(RESPONDER_INDEXES.user),
    schedules: new MemoryReplica<ScheduleState>(RESPONDER_INDEXES.schedule),
    escalations: new MemoryReplica<EscalationState>(RESPONDER_INDEXES.escalation),
  };
  const { teams: team, users: user, schedules: schedule, escalations: escalation } = replicas;
  const references = new Responders({ team, user, schedule, escalation });
  const newId = countingIds();
  const hookItems: string[] = [];
  const lostItems: LostItems[] = [];
  const samples = new SampleStore(connection);
  const trials: CommandTrial[] = [];
  const options: IntegrationsOptions = {
    store,
    references,
    publishNow: (ids) => announcer.publishNow(ids),
    removeSamples: (id) => samples.removeOf([id]),
    clock,
    newId,
    keyOverlapMs,
  };
  const integrations = new Integrations(options);
  const integrationActions = new IntegrationActions({ store, references });
  const alertWrites = new AlertWrites({
    publisher,
    clock,
    newId,
    cutExcess: onExcess === 'truncate',
    rulesOf: (id) => store.rulesOf(id),
    names: references,
  });
  const recorder = new Recorder({
    samples: webhookSamples,
    store: samples,
    findIntegration: (id) => store.find(id),
    keepingSamples: (ids) => store.keepingSamples(ids),
  });
  const hooks = new Hooks({
    presets: await presetsOf(presetsDir),
    writes: alertWrites,
    names: references,
    subscriptions: new Subscriptions({
      outgoing: amazon,
      clock,
      claimTopic: (id, topic) => integrations.claimTopic(id, topic),
      log: { info: () => undefined, warn: () => undefined },
    }),
    clock,
    newId,
    rulesOf: (id) => store.rulesOf(id),
    onItem: (preset, outcome) => hookItems.push(`${preset} ${outcome}`),
    onLost: (lost) => lostItems.push(lost),
    onRefused: (reason) => hookItems.push(`none ${reason}`),
    onAnswer: (answered) => {
      recorder.record(answered);
    },
  });
  const app = createApp({
    integrations,
    integrationActions,
    integrationImports: new IntegrationImports({ ...options, actions: integrationActions }),
    alertWrites,
    traffic: new TrafficStore(connection),
    opsgenieKeys: new OpsgenieKeyStore(connection),
    samples,
    webhookSamples,
    hooks,
    tryCommands: (trial) => {
      trials.push(trial);
      return Promise.resolve(triedCommands(trial));
    },
    presetSamples: await readSamples(SAMPLES_FOLDER),
    store,
    verifier: new PrincipalVerifier(KEYS, 'alert-ingest'),
    clock,
    onDefect: (error) => {
      throw new Error('unexpected defect', { cause: error });
    },
    meaningOf: (error) => error,
    ingestOnExcess: onExcess,
    extraIntegrationTypes: ['HomeGrown'],
    emailDomain: 'alerts.example.com',
  });
  const signer = new PrincipalSigner(KEYS);
  const vouched = (caller: Caller) => signer.sign(caller, 'alert-ingest', clock.now());
  const call: TestService['call'] = async (method, path, body, caller = ACCOUNT) =>
    request(app)
      [method](path)
      .set(PRINCIPAL_HEADER, await vouched(caller))
      .set('X-Forwarded-For', '192.0.2.7')
      .send(body);
  return {
    app,
    alertWrites,
    announcer,
    connection,
    call,
    clock,
    hookItems,
    lostItems,
    trials,
    recorder,
    vouched,
    publisher,
    store,
    ...replicas,
  };
}

export const OPS: TeamState = { id: 'team-1', name: 'Ops', description: '', members: [], routingRules: [] };

export const ADA: UserState = {
  id: 'user-1',
  username: 'ada@example.com',
  fullName: 'Ada',
  role: 'user',
  timeZone: 'UTC',
  locale: 'en_US',
  blocked: false,
  contacts: [],
  notificationRules: [],
};
