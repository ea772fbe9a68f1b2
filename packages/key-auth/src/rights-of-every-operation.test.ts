import { describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '@tocsin/errors';
import { OPERATIONS, type Operation } from '@tocsin/api';
import { authorize, type KeyPrincipal } from './index.ts';
import { full } from './testing/principal-samples.ts';

/**
 * K3 and K8 once more, told by method and path instead of by the table's columns, so that a wrong entry of the table
 * fails here.
 */
const KEYS: Readonly<Record<string, KeyPrincipal>> = {
  full,
  'no configuration': { ...full, mayConfigure: false },
  'read-only': { ...full, mayWrite: false },
  neither: { ...full, mayWrite: false, mayConfigure: false },
  'team A': { ...full, teamId: 'team-a' },
  'team B': { ...full, teamId: 'team-b' },
};

type Request = Pick<Operation, 'method' | 'path'>;

const asks =
  (...requests: readonly RegExp[]) =>
  ({ method, path }: Request): boolean =>
    requests.some((request) => request.test(`${method} ${path}`));

/** What a key without configuration access may do all the same (K3). */
const isAlertBusiness = asks(
  / \/v2\/alerts(?!\/simulate)(\/|$)/,
  / \/v2\/users\/saved-searches(\/|$)/,
  / \/v2\/heartbeats\/[^/]+\/ping$/,
);
const isOpenToAll = asks(/ \/v2\/integrations\/authenticate$/, / \/v2\/request-limits$/);
/** Open without any key, so a key takes nothing away from it (A13, U9). */
const isLink = asks(/^GET \/v2\/attachments\/\{token\}$/, /^(GET|POST) \/acknowledge\/\{token\}$/);
/** A provider calls, which has no key (U18). */
const isCallback = asks(/^POST \/callbacks\/\{provider\}$/);
/** What changes nothing although it is not a GET (K3). */
const changesNothing = asks(
  /^GET /,
  /^\S+ \/v2\/heartbeats\/[^/]+\/ping$/,
  / \/v2\/integrations\/authenticate$/,
  /\/policies\/evaluate$/,
  /\/alerts\/simulate$/,
);
/** What concerns the account or its people (K8). */
const isNoTeamBusiness = asks(
  /^(POST|DELETE) \/v2\/teams(\/\{\w+\})?$/,
  / \/v2\/roles(\/|$)/,
  /^POST \/v2\/integrations$/,
  /^(POST|PUT|PATCH|DELETE) \/v2\/integrations\/\{\w+\}\/actions/,
  /\/rotate-key$/,
  / \/v1\/policies(\/|$)/,
  // Who is reached in whose place is a matter of people, as their contacts are.
  /^(POST|PUT|DELETE) \/v2\/forwarding-rules(\/|$)/,
  /^(POST|PUT|PATCH|DELETE) \/v2\/users(?!\/saved-searches)(\/|$)/,
);

function mayDo(key: KeyPrincipal, request: Request): boolean {
  if (isLink(request) || isCallback(request)) return true;
  if (key.teamId !== undefined && isNoTeamBusiness(request)) return false;
  if (!key.mayWrite && !changesNothing(request)) return false;
  return key.mayConfigure || isAlertBusiness(request) || isOpenToAll(request);
}

function passes(key: KeyPrincipal, operation: Operation): boolean {
  try {
    authorize(key, operation);
    return true;
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

const named = (operations: readonly Operation[]) => operations.map(({ method, path }) => `${method} ${path}`);

describe.each(Object.entries(KEYS))('a key that is %s', (_, key) => {
  it('may do what K3 and K8 say, and nothing else', () => {
    const allowed = OPERATIONS.filter((operation) => passes(key, operation));
    expect(named(allowed)).toEqual(named(OPERATIONS.filter((operation) => mayDo(key, operation))));
  });
});
