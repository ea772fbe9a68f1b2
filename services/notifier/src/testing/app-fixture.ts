import type { RequestListener } from 'node:http';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { IntegrationState, UserState } from '@tocsin/events';
import { LinkSigner, PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Caller } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import request from 'supertest';
import { createApp, type AppParts } from '../compose.ts';
import { AcknowledgeByLink } from '../answers/link-operations.ts';
import { AnswerAlerts } from '../answers/operations.ts';
import type { ActStore } from '../answers/store.ts';
import { SimulatePages } from '../pages/routes.ts';
import type { UserReplica } from '../messages/user-client.ts';
import { KnownAlerts } from './known-alerts.ts';
import { ada } from './page-samples.ts';

export const SIGNING_KEY = 'a secret of component tests, 32 characters';

/** The HTTP operations of the service. */
export interface AppUnderTest {
  readonly app: RequestListener;
  readonly clock: ManualClock;
  readonly ask: (method: 'get' | 'post', path: string, caller?: Caller) => Promise<request.Response>;
  readonly userIs: (user: UserState | undefined) => void;
  /** Whether directory does not answer. */
  readonly unavailable: { directory: boolean };
  /** Sets the state of all alerts. */
  readonly alertIs: KnownAlerts['set'];
}

/** For tests without answers. */
const NO_ACTS: Pick<ActStore, 'take' | 'isKnown'> = {
  take: () => Promise.reject(new Error('an act was taken')),
  isKnown: () => Promise.resolve(false),
};

/** By default Ada is the user, and the gateway calls. */
export function setUpApp({
  acts = NO_ACTS,
  ...change
}: Partial<AppParts> & { readonly acts?: Pick<ActStore, 'take' | 'isKnown'> } = {}): AppUnderTest {
  const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  const alerts = new KnownAlerts();
  const unavailable = { directory: false };
  let known: UserState | undefined = ada();
  const users: UserReplica = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_, id) =>
      unavailable.directory
        ? Promise.reject(new UnavailableError('Directory is unavailable.'))
        : Promise.resolve(known?.id === id ? known : undefined),
  };
  const acknowledgeByLink = new AcknowledgeByLink({
    links: new LinkSigner([SIGNING_KEY], 'acknowledge'),
    answers: new AnswerAlerts({ alerts, users, acts, clock }),
    alerts,
    clock,
  });
  const app = createApp(
    {
      undelivered: {
        find: () => Promise.resolve([]),
        counts: () => Promise.resolve({ waiting: 0, sent: 0, delivered: 0, failed: 0, dropped: 0, heldBack: 0 }),
      },
      simulation: new SimulatePages({ users: new MemoryReplica<UserState>(), channels: new Set() }),
      nextPages: { find: () => Promise.resolve(undefined) },
      readiness: {
        calls: { lastFailed: () => Promise.resolve(undefined), failedDeletions: () => Promise.resolve(undefined) },
        shownOnCalls: { all: () => Promise.resolve(new Map()) },
        integrations: new MemoryReplica<IntegrationState>(),
        sockets: { all: () => Promise.resolve([]) },
      },
      shadow: { keep: () => Promise.reject(new UnavailableError('No test asks for it.')) },
      acknowledgeByLink,
      accountName: 'Ops & Co <script>',
      callbacks: undefined,
      chats: undefined,
      webPushKey: undefined,
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
    unavailable,
    ask: async (method, path, caller = { service: 'gateway' }) =>
      request(app)
        [method](path)
        .set(PRINCIPAL_HEADER, await signer.sign(caller, 'notifier', clock.now())),
    userIs: (user) => {
      known = user;
    },
    alertIs: alerts.set,
  };
}
