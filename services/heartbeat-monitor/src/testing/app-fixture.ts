import type { RequestListener } from 'node:http';
import { jest } from '@jest/globals';
import request, { type Test } from 'supertest';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { AlertCommands, type AlertCommand, type TeamState } from '@tocsin/events';
import {
  createServiceApp,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
  type Caller,
  type KeyPrincipal,
} from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { collectionOf, Outbox, type Connection } from '@tocsin/mongo';
import { accountKey } from '@tocsin/testkit';
import { HeartbeatTask } from '../heartbeats/task.ts';
import { Heartbeats } from '../heartbeats/operations.ts';
import { heartbeatRoutes } from '../heartbeats/routes.ts';
import type { LivenessReport, Outage } from '../heartbeats/outage.ts';
import { MONITOR_LIVENESS, MonitorLivenessStore, type MonitorLivenessDocument } from '../heartbeats/liveness-store.ts';
import { HeartbeatStore } from '../heartbeats/store.ts';
import { START } from './heartbeat-samples.ts';
import { useDatabase, waitingCommands } from './mongo-fixture.ts';

const SIGNING_KEYS = ['a signing key of at least thirty-two characters'];

/** A key of team `ops`. */
export const teamKey: KeyPrincipal = { ...accountKey, integrationId: 'integration-2', teamId: 'ops' };

const failOnDefect = (error: unknown): never => {
  throw new Error('unexpected defect', { cause: error });
};

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** `data` of the body. */
  readonly data: unknown;
}

const teamOf = (id: string, name: string): TeamState => ({ id, name, description: '', members: [], routingRules: [] });

/** The real app and its task on the database of the test run, with teams `ops` (Ops) and `web` (Web). */
export interface TestApp {
  readonly listener: RequestListener;
  /** The headers by which the gateway vouches for an account-wide key. */
  readonly vouched: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: ManualClock;
  readonly connection: Connection;
  readonly store: HeartbeatStore;
  readonly liveness: SteeredLiveness;
  /** From now on the database is unavailable, or there again. */
  readonly setUnavailable: (isUnavailable: boolean) => void;
  readonly teams: MemoryReplica<TeamState>;
  readonly task: HeartbeatTask;
  /** The log entries. */
  readonly logged: string[];
  /** Whether the gateway accepts pings. */
  readonly gateway: { ready: boolean; acceptsPings(): Promise<boolean> };
  /** How many expired so far. */
  readonly expiries: () => number;
  /** The commands to publish so far, in their order. */
  readonly commands: () => Promise<readonly AlertCommand[]>;
  /** Lets minutes pass by every clock, and runs the task. */
  readonly pass: (minutes: number) => Promise<void>;
  readonly get: (path: string, caller?: Caller) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly patch: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly delete: (path: string, caller?: Caller) => Promise<Answer>;
}

/** Real time between two reports of a monitor that is at work, in milliseconds. */
const REPORT_MS = 500;

const silent = { warn: () => undefined, error: () => undefined };

/** Reports of monitors, for which only that time passes between two reports which a test lets pass. */
class SteeredLiveness extends MonitorLivenessStore {
  readonly #connection: Connection;
  #silentMs = 0;

  constructor(connection: Connection) {
    super(connection);
    this.#connection = connection;
  }

  /** The database's clock goes on. */
  passMs(milliseconds: number): void {
    this.#silentMs += milliseconds;
  }

  override async report(report: LivenessReport): Promise<readonly Outage[]> {
    const reportedAt = { $subtract: ['$$NOW', this.#silentMs] };
    const liveness = collectionOf<MonitorLivenessDocument>(this.#connection, MONITOR_LIVENESS);
    await liveness.updateMany({}, [{ $set: { reportedAt } }]);
    this.#silentMs = 0;
    return super.report(report);
  }
}

const STORE_METHODS = [
  ...(['insert', 'find', 'list', 'bytesOfTeam', 'pingInTime', 'change', 'remove'] as const),
  ...(['expire', 'pending', 'nextDueAt'] as const),
];

/** From now on the database of both stores is unavailable, or there again. */
function setUnavailable({ liveness, store }: Pick<Shared, 'store' | 'liveness'>, isUnavailable: boolean): void {
  const spies = [
    ...STORE_METHODS.map((method) => jest.spyOn(store as Pick<HeartbeatStore, 'find'>, method as 'find')),
    jest.spyOn(liveness, 'report'),
  ];
  for (const spy of spies)
    if (isUnavailable) spy.mockRejectedValue(new UnavailableError('The database did not answer in time.'));
    else spy.mockRestore();
}

const NO_PUBLISHER = { publish: () => Promise.resolve() };

/** The common parts of the replicas of one installation. */
type Shared = Pick<TestApp, 'connection' | 'store' | 'liveness' | 'clock'>;

/** Gives an app on an empty database to one test after the other of a file. */
export function useApp(): () => Promise<TestApp> {
  const database = useDatabase();
  return async () => {
    const connection = await database();
    return testApp({
      connection,
      store: new HeartbeatStore({
        connection,
        outbox: new Outbox({ connection, publisher: NO_PUBLISHER, topics: [AlertCommands], logger: silent }),
        alertIdOf: (id, step) => `alert-${id}-${step}`,
        logger: silent,
      }),
      liveness: new SteeredLiveness(connection),
      clock: new ManualClock(START),
    });
  };
}

/** An app that shares the database with another one. */
export function testApp({ connection, store, liveness, clock }: Shared): TestApp {
  const teams = new MemoryReplica<TeamState>({ name: ({ name }) => name });
  for (const team of [teamOf('ops', 'Ops'), teamOf('web', 'Web')]) teams.put(team.id, team);
  const logged: string[] = [];
  const gateway = { ready: true, acceptsPings: () => Promise.resolve(gateway.ready) };
  let expiries = 0;
  let made = 0;
  const logger = { warn: (_: object, message: string) => void logged.push(message) };
  const task = new HeartbeatTask({
    store,
    liveness,
    clock,
    acceptsPings: () => gateway.acceptsPings(),
    teams,
    logger,
    onExpired: (count) => (expiries += count),
  });
  const newId = () => `id-${String((made += 1)).padStart(4, '0')}`;
  const routes = heartbeatRoutes(new Heartbeats({ store, teams, task, clock, newId }));
  const verifier = new PrincipalVerifier(SIGNING_KEYS, 'heartbeat-monitor');
  const signer = new PrincipalSigner(SIGNING_KEYS);
  const app = createServiceApp({ routes, verifier, clock, onDefect: failOnDefect, meaningOf: (error) => error });

  const answer = async (test: Test, caller: Caller = accountKey): Promise<Answer> => {
    const response = await test.set(PRINCIPAL_HEADER, await signer.sign(caller, 'heartbeat-monitor', clock.now()));
    const body = response.body as Readonly<Record<string, unknown>>;
    return { status: response.status, body, data: body['data'] };
  };
  /** As JSON, whatever it is; nothing at all where it is undefined. */
  const sent = (test: Test, body: unknown, caller?: Caller) =>
    answer(body === undefined ? test : test.type('json').send(JSON.stringify(body)), caller);
  return {
    listener: app,
    vouched: async () => ({ [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'heartbeat-monitor', clock.now()) }),
    clock,
    connection,
    store,
    liveness,
    teams,
    task,
    logged,
    gateway,
    setUnavailable: (isUnavailable) => {
      setUnavailable({ liveness, store }, isUnavailable);
    },
    expiries: () => expiries,
    commands: () => waitingCommands(connection),
    pass: async (minutes) => {
      clock.moveTo(new Date(clock.now().getTime() + minutes * 60_000));
      liveness.passMs(REPORT_MS);
      await task.activate();
    },
    get: (path, caller) => answer(request(app).get(path), caller),
    post: (path, body, caller) => sent(request(app).post(path), body, caller),
    put: (path, body, caller) => sent(request(app).put(path), body, caller),
    patch: (path, body, caller) => sent(request(app).patch(path), body, caller),
    delete: (path, caller) => answer(request(app).delete(path), caller),
  };
}
