import { z } from 'zod';
import { RedeemOpenIdSignInBody, RedeemSignInBody, SignInBody, Username } from '@tocsin/api';
import { formatInstant, Sessions as SessionsTopic } from '@tocsin/events';
import {
  defineInternalRoute,
  defineRoute,
  type InternalRoute,
  type Route,
  type RouteInput,
  stateRoutes,
  type ConsoleCookies,
  consoleCookies,
  cookieValue,
  signInNeedsHttps,
} from '@tocsin/http';
import { CODE_LIFETIME_MS } from '../contacts/verification-code.ts';
import { KNOWN_BROWSER_LIFETIME_MS } from './known-browser.ts';
import { OPENID_FLOW_LIFETIME_MS } from './openid-flow.ts';
import type { OpenIdSignIns } from './openid-operations.ts';
import type { BegunSession, SignedIn, SignIns, UserSessions } from './operations.ts';
import { AGE_LIMIT_MS, sessionEnd, sessionMessage, type UserSession } from './session.ts';
import type { SessionStore } from './store.ts';

/** The page of the console to which an OpenID provider leads back: its script redeems the code. */
const OPENID_PAGE = '/console/sign-in/openid';

export interface SessionHandlers {
  readonly openIdSignIns: OpenIdSignIns;
  readonly signIns: SignIns;
  readonly userSessions: UserSessions;
}

/** `/console/api`: signing in and out, and the sessions of a person (K20, K21). */
export function sessionRoutes({ openIdSignIns, signIns, userSessions }: SessionHandlers): readonly Route[] {
  return [...signInRoutes(signIns), ...openIdRoutes(openIdSignIns), ...ownSessionRoutes(userSessions)];
}

function signInRoutes(signIns: SignIns): readonly Route[] {
  return [
    defineRoute({
      operation: 'sign-in',
      body: SignInBody,
      handle: async ({ body: { username }, callerAddress: address, headers, publicUrl }) => {
        const cookies = cookiesAt(publicUrl);
        const browser = cookieValue(headers['cookie'], cookies.browser);
        const { expiresAt, flow } = await signIns.ask({ username, address, browser, userAgent: headers['user-agent'] });
        return {
          status: 202,
          headers: { 'Set-Cookie': flowCookie(cookies, flow, CODE_LIFETIME_MS) },
          body: { result: 'Requested', data: { expiresAt: formatInstant(expiresAt) } },
        };
      },
    }),
    defineRoute({
      operation: 'redeem-sign-in',
      body: RedeemSignInBody,
      handle: async ({ body: { code }, callerAddress: address, headers, publicUrl }) => {
        const cookies = cookiesAt(publicUrl);
        const flow = cookieValue(headers['cookie'], cookies.flow);
        const browser = cookieValue(headers['cookie'], cookies.browser);
        const userAgent = headers['user-agent'];
        return signedIn(cookies, await signIns.redeem({ code, flow, browser, address, userAgent }));
      },
    }),
  ];
}

/** The other ways to sign in besides codes (K25). */
function openIdRoutes(signIns: OpenIdSignIns): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-ways-to-sign-in',
      handle: ({ publicUrl }) => {
        cookiesAt(publicUrl);
        const { host: provider } = signIns;
        return Promise.resolve({
          body: { data: provider === undefined ? { ways: ['code'] } : { ways: ['code', 'openid'], provider } },
        });
      },
    }),
    defineRoute({
      operation: 'sign-in-by-openid',
      handle: async ({ callerAddress: address, headers, publicUrl }) => {
        const cookies = cookiesAt(publicUrl);
        const browser = cookieValue(headers['cookie'], cookies.browser);
        const { expiresAt, flow, url } = await signIns.begin({
          redirectUrl: publicUrl + OPENID_PAGE,
          address,
          browser,
        });
        return {
          headers: { 'Set-Cookie': flowCookie(cookies, flow, OPENID_FLOW_LIFETIME_MS) },
          body: { data: { url, expiresAt: formatInstant(expiresAt) } },
        };
      },
    }),
    defineRoute({
      operation: 'redeem-openid-sign-in',
      body: RedeemOpenIdSignInBody,
      handle: async ({ body: answer, callerAddress: address, headers, publicUrl }) => {
        const cookies = cookiesAt(publicUrl);
        const begun = await signIns.redeem({
          answer,
          flow: cookieValue(headers['cookie'], cookies.flow),
          browser: cookieValue(headers['cookie'], cookies.browser),
          redirectUrl: publicUrl + OPENID_PAGE,
          address,
          userAgent: headers['user-agent'],
        });
        return signedIn(cookies, begun);
      },
    }),
  ];
}

const flowCookie = ({ attributes, flow: name }: ConsoleCookies, flow: string, lifetimeMs: number): string =>
  `${name}=${flow}; ${attributes}; Max-Age=${lifetimeMs / 1_000}`;

/** The cookie of the session, and that by which the browser is known from now on. */
const signedIn = (cookies: ConsoleCookies, { browser, session, token }: BegunSession) => ({
  headers: {
    'Set-Cookie': [
      sessionCookie(cookies, token, AGE_LIMIT_MS / 1_000),
      `${cookies.browser}=${browser}; ${cookies.attributes}; Max-Age=${KNOWN_BROWSER_LIFETIME_MS / 1_000}`,
    ],
  },
  body: { result: 'Signed in' as const, data: { id: session.id, expiresAt: formatInstant(sessionEnd(session)) } },
});

function ownSessionRoutes(sessions: UserSessions): readonly Route[] {
  return [
    defineRoute({
      operation: 'sign-out',
      handle: async ({ headers, publicUrl }) => {
        const session = await sessions.current(tokenOf({ headers, publicUrl }));
        await sessions.end(session, session.id);
        return {
          headers: { 'Set-Cookie': sessionCookie(cookiesAt(publicUrl), '', 0) },
          body: { result: 'Signed out' },
        };
      },
    }),
    defineRoute({
      operation: 'get-session',
      handle: async (input) => ({ body: { data: currentView(await sessions.signedIn(tokenOf(input))) } }),
    }),
    defineRoute({
      operation: 'list-sessions',
      handle: async (input) => {
        const current = await sessions.current(tokenOf(input));
        const listed = await sessions.list(current);
        return { body: { data: listed.map((session) => listedView(session, current)) } };
      },
    }),
    defineRoute({
      operation: 'end-session',
      handle: async (input) => {
        await sessions.end(await sessions.current(tokenOf(input)), input.params['id'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

/** @throws ForbiddenError where people cannot sign in at that URL (K22). */
function cookiesAt(publicUrl: string): ConsoleCookies {
  const cookies = consoleCookies(publicUrl);
  if (cookies === undefined) throw signInNeedsHttps();
  return cookies;
}

const tokenOf = ({ headers, publicUrl }: Pick<RouteInput<unknown, unknown>, 'headers' | 'publicUrl'>) =>
  cookieValue(headers['cookie'], cookiesAt(publicUrl).session);

const sessionCookie = ({ attributes, session }: ConsoleCookies, token: string, maxAgeSeconds: number): string =>
  `${session}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`;

function currentView({ session, teams, user }: SignedIn) {
  const { id, username, fullName, role } = user;
  return {
    id: session.id,
    user: { id, username, fullName },
    role,
    teams,
    createdAt: formatInstant(session.createdAt),
    expiresAt: formatInstant(sessionEnd(session)),
  };
}

function listedView(session: UserSession, current: UserSession) {
  const { address, browser, createdAt, id, lastUsedAt } = session;
  return {
    id,
    createdAt: formatInstant(createdAt),
    lastUsedAt: formatInstant(lastUsedAt),
    expiresAt: formatInstant(sessionEnd(session)),
    address,
    browser,
    isCurrent: id === current.id,
  };
}

/** The most uses of sessions in one request of the gateway. */
const MAX_USES = 1_000;

const UsesBody = z.object({ uses: z.array(z.object({ id: z.string(), at: z.coerce.date() })).max(MAX_USES) });

/** For the gateway: the states of sessions, and their uses; and codes for operators (K23). */
export const internalSessionRoutes = (
  { signIns, userSessions }: Pick<SessionHandlers, 'signIns' | 'userSessions'>,
  store: Pick<SessionStore, 'withAny'>,
): readonly InternalRoute[] => [
  ...stateRoutes(SessionsTopic, async (index, values) => {
    if (index !== 'id' && index !== 'tokenHash') return [];
    return (await store.withAny(index, values)).map(sessionMessage);
  }),
  defineInternalRoute({
    method: 'POST',
    path: '/internal/sessions/uses',
    body: UsesBody,
    handle: async ({ body: { uses } }) => {
      await userSessions.noteUses(uses);
      return { body: { result: 'Noted' } };
    },
  }),
  defineInternalRoute({
    method: 'POST',
    path: '/internal/sign-ins',
    body: z.object({ username: Username }),
    handle: async ({ body: { username } }) => {
      const { code, expiresAt } = await signIns.codeForOperator(username);
      return { body: { data: { code, expiresAt: formatInstant(expiresAt) } } };
    },
  }),
];
