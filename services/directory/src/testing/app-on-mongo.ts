import type { RequestListener } from 'node:http';
import request from 'supertest';
import { CreateTeamBody, CreateUserBody } from '@tocsin/api';
import { ManualClock } from '@tocsin/core';
import type { NoticeCommand } from '@tocsin/events';
import {
  AddressGuard,
  type Caller,
  CodeHasher,
  LinkSigner,
  CodeSealer,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
} from '@tocsin/http';
import { accountKey } from '@tocsin/testkit';
import { createDirectory, type Directory, type DirectoryOptions } from '../compose-operations.ts';
import { createApp } from '../compose.ts';
import { KnownBrowsers } from '../sessions/known-browser.ts';
import { MemoryNotifier } from './memory-notifier.ts';
import { MemoryScheduling } from './memory-scheduling.ts';
import { MemoryTeamParts } from './memory-team-parts.ts';
import type { MongoDirectory } from './mongo-directory.ts';

export { accountKey };

const SIGNING_KEYS = ['a signing key of at least thirty-two characters'];
const codeSealer = new CodeSealer(SIGNING_KEYS);

/** As notifier reads it: with its code in plain text. */
const unsealed = (notice: NoticeCommand): NoticeCommand =>
  'code' in notice ? { ...notice, code: codeSealer.open(notice.noticeId, notice.code) } : notice;

const failOnDefect = (error: unknown): never => {
  throw new Error('unexpected defect', { cause: error });
};

/** The answer to a request. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The real app on MongoDB, with doubles of other services, and the means to call it. */
export interface TestApp {
  readonly app: RequestListener;
  readonly clock: ManualClock;
  readonly directory: Directory;
  readonly scheduling: MemoryScheduling;
  readonly integrations: MemoryTeamParts;
  readonly policies: MemoryTeamParts;
  readonly notifier: MemoryNotifier;
  readonly stores: MongoDirectory;
  /** The notices that were ordered, oldest first, with their codes in plain text. */
  readonly notices: () => Promise<readonly NoticeCommand[]>;
  /** The log lines, the oldest first. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** The headers by which the gateway vouches for `caller`, by default an account-wide key. */
  readonly vouched: (caller?: Caller) => Promise<Readonly<Record<string, string>>>;
  /** The answer to a request of `caller`, by default the account's key. */
  readonly get: (path: string, caller?: Caller) => Promise<Answer>;
  readonly post: (path: string, body: object, caller?: Caller) => Promise<Answer>;
  readonly patch: (path: string, body: object, caller?: Caller) => Promise<Answer>;
  readonly put: (path: string, body: object, caller?: Caller) => Promise<Answer>;
  readonly remove: (path: string, caller?: Caller) => Promise<Answer>;
  /** The id of a user who is created for the purpose. */
  readonly user: (username: string, role?: string) => Promise<string>;
  /** The id of a team that is created for the purpose. */
  readonly team: (name: string, members?: readonly unknown[]) => Promise<string>;
}

/** The app on `stores`. `given` replaces its default parts; new contacts need no confirmation unless it says so. */
export function appOn(stores: MongoDirectory, given: Partial<DirectoryOptions> = {}): TestApp {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const others = {
    scheduling: new MemoryScheduling(),
    integrations: new MemoryTeamParts(),
    policies: new MemoryTeamParts(),
    notifier: new MemoryNotifier(),
  };
  const logged: Readonly<Record<string, unknown>>[] = [];
  let [made, codes, topics, tokens] = [0, 700_000, 0, 0];
  const directory = createDirectory({
    ...stores,
    pendingCopies: { keep: () => Promise.resolve() },
    ...others,
    targets: others.scheduling,
    clock,
    newId: () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`,
    newCode: () => String((codes += 1)),
    newSignInCode: () => `31${String((codes += 1))}`,
    confirmation: 'off',
    pause: () => Promise.resolve(),
    shadowNotifier: others.notifier,
    newTopic: () => `topic-${(topics += 1)}`,
    newSubscriptionName: () => `browser-${(topics += 1)}`,
    pushServices: new AddressGuard(['127.0.0.1']),
    newToken: () => `token-${(tokens += 1)}`.padEnd(43, '_'),
    codeHasher: new CodeHasher(SIGNING_KEYS),
    codeSealer,
    knownBrowsers: new KnownBrowsers(new LinkSigner(SIGNING_KEYS, 'browser')),
    pushUrl: 'https://push.example.com',
    deviceServices: { gotify: true, pushover: false, slack: true, mattermost: true },
    telegramBot: 'tocsin_bot',
    newLinkCode: () => `code-${(codes += 1)}`,
    log: { info: (fields, message) => void logged.push({ ...fields, message }) },
    openId: undefined,
    account: { name: 'Example', timezone: 'Europe/Rome', locale: 'it_IT' },
    ...given,
  });
  const app = createApp({
    directory,
    verifier: new PrincipalVerifier(SIGNING_KEYS, 'directory'),
    clock,
    onDefect: failOnDefect,
    meaningOf: (error) => error,
  });
  const notices = async () => (await stores.notices()).map(unsealed);
  const parts = { app, clock, directory, ...others, stores, notices, logged };
  return { ...parts, ...callers(app, clock), ...creators(directory) };
}

function callers(
  app: RequestListener,
  clock: ManualClock,
): Pick<TestApp, 'vouched' | 'get' | 'post' | 'patch' | 'put' | 'remove'> {
  const signer = new PrincipalSigner(SIGNING_KEYS);
  const tokenOf = (caller: Caller = accountKey) => signer.sign(caller, 'directory', clock.now());
  const sending =
    (method: 'post' | 'patch' | 'put') =>
    async (path: string, body: object, caller?: Caller): Promise<Answer> =>
      request(app)
        [method](path)
        .set(PRINCIPAL_HEADER, await tokenOf(caller))
        .type('json')
        .send(JSON.stringify(body));
  return {
    vouched: async (caller) => ({ [PRINCIPAL_HEADER]: await tokenOf(caller) }),
    get: async (path, caller) =>
      request(app)
        .get(path)
        .set(PRINCIPAL_HEADER, await tokenOf(caller)),
    post: sending('post'),
    patch: sending('patch'),
    put: sending('put'),
    remove: async (path, caller) =>
      request(app)
        .delete(path)
        .set(PRINCIPAL_HEADER, await tokenOf(caller)),
  };
}

function creators(directory: Directory): Pick<TestApp, 'user' | 'team'> {
  return {
    user: async (username, role = 'user') => {
      const body = CreateUserBody.parse({ username, fullName: username, role: { name: role } });
      return (await directory.users.create(body)).id;
    },
    team: async (name, members = []) =>
      (await directory.teams.create(CreateTeamBody.parse({ name, members }), accountKey.integrationName)).id,
  };
}
