import type { RequestListener } from 'node:http';
import { ManualClock } from '@tocsin/clock';
import type { AlertState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { LinkSigner, PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Caller } from '@tocsin/key-auth';
import { MemoryReplica } from '@tocsin/messaging';
import request from 'supertest';
import { createApp, type AppParts } from '../app.ts';
import { AcknowledgeByLink } from '../application/acknowledge-by-link.ts';
import { AnswerAlerts } from '../application/answer-alerts.ts';
import { SimulatePages } from '../application/simulate-pages.ts';
import type { Users } from '../ports/users.ts';
import { MemoryActStore } from './memory-act-store.ts';
import { MemoryNotificationStore } from './memory-notification-store.ts';
import { ada, alertEvent } from './page-samples.ts';
import { batch } from './stores-under-test.ts';

export const SIGNING_KEY = 'a secret of component tests, 32 characters';

/** The HTTP face of the service over stores in memory. */
export interface AppUnderTest {
  readonly app: RequestListener;
  readonly clock: ManualClock;
  readonly acts: MemoryActStore;
  readonly ask: (method: 'get' | 'post', path: string, caller?: Caller) => Promise<request.Response>;
  readonly userIs: (user: UserState | undefined) => void;
  /** Set it, and the owner of the users cannot be asked. */
  readonly away: { directory: boolean };
  /** What the alerts say that alert-processor has; it says the same of each. */
  readonly says: { message: string | undefined };
  /** What became of the alert `a1`. */
  readonly alertIs: (version: number, change: Partial<AlertState>) => Promise<unknown>;
}

/** Ada is the user, unless told. The gateway asks, unless told. */
export function setUpApp(change: Partial<AppParts> = {}): AppUnderTest {
  const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  const store = new MemoryNotificationStore();
  const acts = new MemoryActStore();
  const away = { directory: false };
  const says: AppUnderTest['says'] = { message: 'Disk full' };
  let known: UserState | undefined = ada();
  const users: Users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_, id) =>
      away.directory
        ? Promise.reject(new UnavailableError('Directory is away.'))
        : Promise.resolve(known?.id === id ? known : undefined),
  };
  const acknowledgeByLink = new AcknowledgeByLink({
    links: new LinkSigner([SIGNING_KEY], 'acknowledge'),
    answers: new AnswerAlerts({ standings: store, users, acts, clock }),
    messages: { messageOf: () => Promise.resolve(says.message) },
    clock,
  });
  const app = createApp(
    {
      undelivered: {
        find: () => Promise.resolve([]),
        counts: () => Promise.resolve({ waiting: 0, sent: 0, delivered: 0, failed: 0, dropped: 0 }),
      },
      simulation: new SimulatePages({ users: new MemoryReplica<UserState>(), channels: new Set() }),
      acknowledgeByLink,
      accountName: 'Ops & Co <script>',
      callbacks: undefined,
      ...change,
    },
    {
      verifier: new PrincipalVerifier([SIGNING_KEY], 'notifier'),
      clock,
      onDefect: (error) => {
        throw new Error('unexpected defect', { cause: error });
      },
      meaningOf: (error) => error,
    },
  );
  const signer = new PrincipalSigner([SIGNING_KEY]);
  return {
    app,
    clock,
    acts,
    away,
    says,
    ask: async (method, path, caller = { service: 'gateway' }) =>
      request(app)
        [method](path)
        .set(PRINCIPAL_HEADER, await signer.sign(caller, 'notifier', clock.now())),
    userIs: (user) => {
      known = user;
    },
    alertIs: (version, state) => store.settleAlerts([batch('alert-events.v1', [alertEvent(version, state)])]),
  };
}
