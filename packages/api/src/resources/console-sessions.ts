import { z } from 'zod';
import { Id, Instant, resultOf } from '../answers/shared.ts';
import { NO_RULES, resource, SMALL_BODY } from '../operation.ts';
import { changedAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { Username } from './users.ts';

/** The body that asks for a code (K20). */
export const SignInBody = z.object({ username: Username });
export type SignInBody = z.infer<typeof SignInBody>;

/** The digits of a mail as people write them, or the code of an operator. */
const CODE = /^(?:\d(?:[ -]?\d){7}|[\w-]{43})$/;
const DIGITS = /^[\d -]{8,15}$/;

/** The body that redeems a code: the eight digits of a mail, or the long code of an operator (K20, K23). */
export const RedeemSignInBody = z.object({
  code: z
    .string('should be the code that was sent')
    .trim()
    .regex(CODE, 'should be the eight digits of a mail, or the 43 characters of the code of an operator')
    .overwrite((code) => (DIGITS.test(code) ? code.replaceAll(/[ -]/g, '') : code)),
});
export type RedeemSignInBody = z.infer<typeof RedeemSignInBody>;

/** The body that ends a sign-in by OpenID Connect: what the provider added to the address of the page (K25). */
export const RedeemOpenIdSignInBody = z.object({
  code: z.string('should be the code of the provider').min(1).max(4_096),
  state: z.string('should be the state that the provider gave back').min(1).max(512),
  iss: z.string().max(2_048).optional().meta({ description: 'The issuer, where the provider adds it.' }),
});
export type RedeemOpenIdSignInBody = z.infer<typeof RedeemOpenIdSignInBody>;

/** How people can sign in. */
const WaysToSignIn = z
  .object({
    ways: z.array(z.enum(['code', 'openid'])).meta({ description: '`code` always: by mail, or of an operator.' }),
    provider: z.string().optional().meta({ description: 'The host of the OpenID provider, where there is one.' }),
  })
  .meta({ id: 'WaysToSignIn' });

/** A signed-in person, and how long they stay so (K21). */
const CurrentSession = z
  .object({
    id: Id,
    user: z.object({ id: Id, username: z.string(), fullName: z.string() }),
    role: z.object({ id: z.string(), name: z.string() }),
    teams: z.array(z.object({ id: Id, name: z.string(), role: z.enum(['admin', 'user']) })),
    createdAt: Instant,
    expiresAt: Instant.meta({ description: 'Moves with each use, up to 30 days after the sign-in.' }),
  })
  .meta({ id: 'CurrentSession' });

/** One of the sessions of a person, as its list shows it (K21). */
const ListedSession = z
  .object({
    id: Id,
    createdAt: Instant,
    lastUsedAt: Instant.meta({ description: 'Up to ten minutes before the last request.' }),
    expiresAt: Instant,
    address: z.string().meta({ description: 'From which the person signed in.' }),
    browser: z.string().meta({ description: 'With which the person signed in.' }),
    isCurrent: z.boolean().meta({ description: 'Whether this request belongs to it.' }),
  })
  .meta({ id: 'ListedSession' });

/** Without a caller: a code takes the place of a key, and a limit holds the address. The cookies are read by directory alone. */
const beforeSignIn = { right: 'sign-in', domain: 'configuration', owner: 'directory' } as const;
const signIn = { ...beforeSignIn, passedHeaders: ['cookie', 'user-agent'], ...SMALL_BODY } as const;
const session = {
  right: 'session',
  domain: 'configuration',
  owner: 'directory',
  passedHeaders: ['cookie'],
} as const;
const SESSIONS_PATH = '/console/api/sessions';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e60';
const example = {
  id,
  user: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30', username: 'ada@example.com', fullName: 'Ada Lovelace' },
  role: { id: 'user', name: 'User' },
  teams: [{ id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20', name: 'Ops', role: 'admin' }],
  createdAt: '2026-03-02T08:00:00Z',
  expiresAt: '2026-03-09T08:00:00Z',
};
const FROM_THE_CONSOLE =
  'It is for pages of the installation itself: the header `Sec-Fetch-Site` has to be `same-origin`, and `X-Tocsin-Console` has to be `1` (K22).';

/** How people sign in at the console, and their sessions (K20 to K23). Operations of Tocsin. */
export const CONSOLE_SESSIONS = resource('Sign-in and sessions', NO_RULES, {
  'sign-in': {
    ...signIn,
    method: 'POST',
    path: '/console/api/sign-in',
    summary: 'Sends a code to a person who wants to sign in',
    description: `The answer is the same whether or not there is such a user. The code is valid for 10 minutes, once, for 5 tries, and in the browser that asked for it (K20). ${FROM_THE_CONSOLE}`,
    body: { schema: SignInBody, example: { username: 'ada@example.com' } },
    success: {
      status: 202,
      schema: resultOf('Requested').extend({ data: z.object({ expiresAt: Instant }) }),
      example: { result: 'Requested', data: { expiresAt: '2026-03-02T08:10:00Z' } },
    },
  },
  'redeem-sign-in': {
    ...signIn,
    method: 'POST',
    path: '/console/api/sign-in/redeem',
    summary: 'Signs a person in by the code that was sent to them',
    description: `The answer sets the cookie of a session (K21). ${FROM_THE_CONSOLE}`,
    body: { schema: RedeemSignInBody, example: { code: '3141 5926' } },
    success: changedAnswer('Signed in', z.object({ id: Id, expiresAt: Instant }), {
      id,
      expiresAt: example.expiresAt,
    }),
  },
  'get-ways-to-sign-in': {
    ...beforeSignIn,
    method: 'GET',
    path: '/console/api/sign-in',
    summary: 'Reads how people can sign in here',
    description: '403 where they can not, because the installation is not reached over https (K22).',
    success: dataAnswer(WaysToSignIn, { ways: ['code', 'openid'], provider: 'login.example.com' }),
  },
  'sign-in-by-openid': {
    ...signIn,
    method: 'POST',
    path: '/console/api/sign-in/openid',
    summary: 'Begins a sign-in by OpenID Connect',
    description: `The answer has the address at the provider to which the page leads the browser, and sets a cookie without which the sign-in cannot be ended (K25). 404 where the installation has no provider, 503 where it does not answer. ${FROM_THE_CONSOLE}`,
    success: dataAnswer(z.object({ url: z.url(), expiresAt: Instant }), {
      url: 'https://login.example.com/authorize?client_id=tocsin&response_type=code',
      expiresAt: '2026-03-02T08:10:00Z',
    }),
    refusals: [404],
  },
  'redeem-openid-sign-in': {
    ...signIn,
    method: 'POST',
    path: '/console/api/sign-in/openid/redeem',
    summary: 'Signs a person in by what an OpenID provider says of them',
    description: `The page \`/console/sign-in/openid\`, to which the provider leads back, sends what the provider added to its address. A sign-in ends by the first attempt. The answer sets the cookie of a session (K21); 403 where the person may not sign in, 503 where the provider does not answer. ${FROM_THE_CONSOLE}`,
    body: { schema: RedeemOpenIdSignInBody, example: { code: 'code-of-the-provider', state: 'state-of-the-sign-in' } },
    success: changedAnswer('Signed in', z.object({ id: Id, expiresAt: Instant }), {
      id,
      expiresAt: example.expiresAt,
    }),
    refusals: [404],
  },
  'sign-out': {
    ...session,
    ...SMALL_BODY,
    method: 'POST',
    path: '/console/api/sign-out',
    summary: 'Ends the session of the request',
    success: doneAnswer('Signed out'),
  },
  'get-session': {
    ...session,
    method: 'GET',
    path: '/console/api/session',
    summary: 'Reads who is signed in',
    success: dataAnswer(CurrentSession, example),
  },
  'list-sessions': {
    ...session,
    method: 'GET',
    path: SESSIONS_PATH,
    summary: 'Lists the sessions of the signed-in person',
    description: 'At most 20, in the order of their creation.',
    success: dataAnswer(z.array(ListedSession), [
      {
        id,
        createdAt: example.createdAt,
        lastUsedAt: example.createdAt,
        expiresAt: example.expiresAt,
        address: '192.0.2.7',
        browser: 'Firefox on Linux',
        isCurrent: true,
      },
    ]),
  },
  'end-session': {
    ...session,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${SESSIONS_PATH}/{id}`,
    summary: 'Ends a session of the signed-in person',
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
