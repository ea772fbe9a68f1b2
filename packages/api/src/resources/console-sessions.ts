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
const signIn = {
  right: 'sign-in',
  domain: 'configuration',
  owner: 'directory',
  passedHeaders: ['cookie'],
  ...SMALL_BODY,
} as const;
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
    description: `The answer is the same whether or not there is such a user. The code is of use for 10 minutes, once, for 5 tries, and in the browser that asked for it (K20). ${FROM_THE_CONSOLE}`,
    body: { schema: SignInBody, example: { username: 'ada@example.com' } },
    success: {
      status: 202,
      schema: resultOf('Requested').extend({ data: z.object({ expiresAt: Instant }) }),
      example: { result: 'Requested', data: { expiresAt: '2026-03-02T08:10:00Z' } },
    },
  },
  'redeem-sign-in': {
    ...signIn,
    passedHeaders: ['cookie', 'user-agent'],
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
