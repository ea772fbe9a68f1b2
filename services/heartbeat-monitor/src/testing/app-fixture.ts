import type { RequestListener } from 'node:http';
import request, { type Test } from 'supertest';
import { ManualClock } from '@tocsin/clock';
import type { AlertCommand, TeamState } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Caller, type Principal } from '@tocsin/key-auth';
import { MemoryReplica } from '@tocsin/messaging';
import { accountKey } from '@tocsin/testing';
import { createApp } from '../app.ts';
import { HeartbeatWatch } from '../application/heartbeat-watch.ts';
import { Heartbeats } from '../application/heartbeats.ts';
import type { Gateway } from '../ports/gateway.ts';
import { START } from './heartbeat-samples.ts';
import { MemoryHeartbeatStore } from './memory-heartbeat-store.ts';

const SIGNING_KEYS = ['a signing key of at least thirty-two characters'];

/** A key of team `ops`. */
export const teamKey: Principal = { ...accountKey, integrationId: 'integration-2', teamId: 'ops' };

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

/** The real app and its watch on memory adapters, with teams `ops` (Ops) and `web` (Web). */
export interface TestApp {
  readonly listener: RequestListener;
  /** The headers by which the gateway vouches for an account-wide key. */
  readonly vouched: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: ManualClock;
  readonly store: MemoryHeartbeatStore;
  readonly teams: MemoryReplica<TeamState>;
  readonly watch: HeartbeatWatch;
  /** What was logged. */
  readonly logged: string[];
  /** Whether the gateway takes pings. */
  readonly gateway: Gateway & { ready: boolean };
  /** How many expired so far. */
  readonly expiries: () => number;
  /** The commands that were published so far. */
  readonly commands: () => readonly AlertCommand[];
  /** Lets minutes pass by every clock, and the watch take its turn. */
  readonly pass: (minutes: number) => Promise<void>;
  readonly get: (path: string, caller?: Caller) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly patch: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  readonly delete: (path: string, caller?: Caller) => Promise<Answer>;
}

/** Real time between two beats of a monitor that is at work, in milliseconds. */
const BEAT_MS = 500;

/** What the replicas of one installation share. */
type Shared = Pick<TestApp, 'store' | 'clock'>;

export function testApp(
  { store, clock }: Shared = { store: new MemoryHeartbeatStore(), clock: new ManualClock(START) },
): TestApp {
  const teams = new MemoryReplica<TeamState>({ name: ({ name }) => name });
  for (const team of [teamOf('ops', 'Ops'), teamOf('web', 'Web')]) teams.put(team.id, team);
  const logged: string[] = [];
  const gateway = { ready: true, takesPings: () => Promise.resolve(gateway.ready) };
  let expiries = 0;
  let made = 0;
  const logger = { warn: (_: object, message: string) => void logged.push(message) };
  const watch = new HeartbeatWatch({
    store,
    clock,
    gateway,
    teams,
    logger,
    onExpired: (count) => (expiries += count),
  });
  const newId = () => `id-${String((made += 1)).padStart(4, '0')}`;
  const heartbeats = new Heartbeats({ store, teams, watch, clock, newId });
  const verifier = new PrincipalVerifier(SIGNING_KEYS, 'heartbeat-monitor');
  const signer = new PrincipalSigner(SIGNING_KEYS);
  const app = createApp({ heartbeats, verifier, clock, onDefect: failOnDefect, meaningOf: (error) => error });

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
    store,
    teams,
    watch,
    logged,
    gateway,
    expiries: () => expiries,
    commands: () => store.commands,
    pass: async (minutes) => {
      clock.moveTo(new Date(clock.now().getTime() + minutes * 60_000));
      store.passMs(BEAT_MS);
      await watch.turn();
    },
    get: (path, caller) => answer(request(app).get(path), caller),
    post: (path, body, caller) => sent(request(app).post(path), body, caller),
    put: (path, body, caller) => sent(request(app).put(path), body, caller),
    patch: (path, body, caller) => sent(request(app).patch(path), body, caller),
    delete: (path, caller) => answer(request(app).delete(path), caller),
  };
}
