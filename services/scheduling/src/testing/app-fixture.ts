import type { RequestListener } from 'node:http';
import request, { type Test } from 'supertest';
import { ManualClock } from '@tocsin/core';
import type { TeamState, UserState } from '@tocsin/events';
import {
  newSessionToken,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
  type Caller,
  type KeyPrincipal,
} from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import type { Connection } from '@tocsin/mongo';
import { accountKey } from '@tocsin/testkit';
import { CalendarLinkStore } from '../calendar-links/store.ts';
import { createApp, createOperations, type Operations } from '../compose.ts';
import { teamOf, userOf } from './on-call-samples.ts';
import { ReadinessMailStore } from '../readiness-mails/store.ts';
import type { OtherFindings } from '../readiness/client.ts';
import type { EscalationState } from '../paging/escalation-state.ts';
import type { OverdueEscalation } from '../paging/store.ts';
import { replicaOn, useDatabase } from './mongo-fixture.ts';

const SIGNING_KEYS = ['a signing key of at least thirty-two characters'];

/** A key of team `sre`. */
export const teamKey: KeyPrincipal = { ...accountKey, teamId: 'sre' };

const failOnDefect = (error: unknown): never => {
  throw new Error('unexpected defect', { cause: error });
};

/** The answer to one request. */
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** `data` of the body. */
  readonly data: unknown;
  /** Of an answer that is a file. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The real app on the database of the test run, with users ada, bob and eve and team `sre` of ada (admin) and bob. */
export interface TestApp {
  readonly listener: RequestListener;
  readonly clock: ManualClock;
  /** The headers by which the gateway vouches for an account-wide key. */
  readonly vouched: () => Promise<Readonly<Record<string, string>>>;
  readonly connection: Connection;
  /** The overdue escalation states; there are seven of open alerts. */
  readonly overdue: OverdueEscalation[];
  /** The escalation states that the store has, by alert. */
  readonly flows: Map<string, EscalationState>;
  readonly operations: Operations;
  readonly users: MemoryReplica<UserState>;
  readonly teams: MemoryReplica<TeamState>;
  /** The answers of directory about routing rules: the rules that name `type:id`, or `refusal`. `others`: findings of other services. */
  readonly directory: { readonly uses: Map<string, readonly string[]>; refusal?: Error; others: OtherFindings };
  readonly get: (path: string, caller?: Caller, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: unknown, caller?: Caller) => Promise<Answer>;
  readonly put: (path: string, body: unknown, caller?: Caller) => Promise<Answer>;
  readonly patch: (path: string, body: unknown, caller?: Caller) => Promise<Answer>;
  readonly delete: (path: string, caller?: Caller) => Promise<Answer>;
}

const database = useDatabase();

/** Opens the app on an empty database. */
export async function testApp(): Promise<TestApp> {
  const connection = await database();
  const clock = new ManualClock(new Date('2026-01-01T12:00:00Z'));
  const users = new MemoryReplica<UserState>({ username: ({ username }) => username });
  const teams = new MemoryReplica<TeamState>({ name: ({ name }) => name });
  for (const id of ['ada', 'bob', 'eve']) users.put(id, userOf(id));
  teams.put('sre', { ...teamOf('sre', { ada: 'admin', bob: 'user' }, { type: 'none' }), name: 'SRE' });
  const directory: TestApp['directory'] = { uses: new Map(), others: { findings: [], incompleteServices: [] } };
  let made = 0;
  const { outbox, store } = replicaOn(connection, { clock, users });
  const operations = createOperations({
    store,
    calendarLinks: new CalendarLinkStore(connection),
    readinessMails: new ReadinessMailStore({ connection, outbox, dueWork: { wakeAfterCommit: () => undefined } }),
    users,
    teams,
    routingUses: (type, id) =>
      directory.refusal === undefined
        ? Promise.resolve(directory.uses.get(`${type}:${id}`) ?? [])
        : Promise.reject(directory.refusal),
    otherFindings: () => Promise.resolve(directory.others),
    clock,
    newId: () => `id-${String((made += 1)).padStart(4, '0')}`,
    newToken: newSessionToken,
    accountTimezone: 'Europe/Rome',
  });
  const verifier = new PrincipalVerifier(SIGNING_KEYS, 'scheduling');
  const signer = new PrincipalSigner(SIGNING_KEYS);
  const overdue: OverdueEscalation[] = [];
  const flows: TestApp['flows'] = new Map();
  const escalationStates = {
    find: () => Promise.resolve(flows),
    findOverdue: () => Promise.resolve(overdue),
    countOpen: () => Promise.resolve(7),
  };
  const app = createApp(operations, escalationStates, {
    verifier,
    clock,
    onDefect: failOnDefect,
    meaningOf: (error) => error,
  });

  const answer = async (test: Test, caller: Caller = accountKey): Promise<Answer> => {
    const response = await test.set(PRINCIPAL_HEADER, await signer.sign(caller, 'scheduling', clock.now()));
    const { status, text, headers } = response;
    const body = response.body as Readonly<Record<string, unknown>>;
    return { status, body, data: body['data'], text, headers };
  };
  /** Sends `body` as JSON. */
  const sent = (test: Test, body: unknown, caller?: Caller) =>
    answer(test.type('json').send(JSON.stringify(body)), caller);
  return {
    listener: app,
    clock,
    vouched: async () => ({ [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'scheduling', clock.now()) }),
    connection,
    overdue,
    flows,
    operations,
    users,
    teams,
    directory,
    get: (path, caller, headers = {}) => answer(request(app).get(path).set(headers), caller),
    post: (path, body, caller) => sent(request(app).post(path), body, caller),
    put: (path, body, caller) => sent(request(app).put(path), body, caller),
    patch: (path, body, caller) => sent(request(app).patch(path), body, caller),
    delete: (path, caller) => answer(request(app).delete(path), caller),
  };
}

/** The id of a thing that is created for the purpose. */
export async function created(app: TestApp, path: string, body: unknown, caller?: Caller): Promise<string> {
  const { status, body: answer, data } = await app.post(path, body, caller);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
  return (data as { id: string }).id;
}

/** A daily rotation from the first of January 2026, 00:00 UTC. */
export const daily = (participants: readonly unknown[], over: object = {}): object => ({
  startDate: '2026-01-01T00:00:00Z',
  type: 'daily',
  participants,
  ...over,
});
