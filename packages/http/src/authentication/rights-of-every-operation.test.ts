import { describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '@tocsin/core';
import { OPERATIONS, type Operation, type People, peopleOf } from '@tocsin/api';
import { authorize, type KeyPrincipal, PERSON_ROLES, type PersonRole, type Principal } from './index.ts';
import { ada, full } from '../testing/principal-samples.ts';

/**
 * K3, K8 and K11 once more, by method and path instead of by the table's columns, so that a wrong entry of the table
 * fails here.
 */
const KEYS: Readonly<Record<string, KeyPrincipal>> = {
  full,
  'no configuration': { ...full, mayConfigure: false },
  'read-only': { ...full, mayWrite: false },
  neither: { ...full, mayWrite: false, mayConfigure: false },
  'without read access': { ...full, mayRead: false },
  'one that only sends': { ...full, mayRead: false, mayWrite: false, mayConfigure: false },
  'one that only sends, whatever it may configure': { ...full, mayRead: false, mayWrite: false, mayConfigure: true },
  'team A': { ...full, teamId: 'team-a' },
  'team B': { ...full, teamId: 'team-b' },
};

type Request = Pick<Operation, 'method' | 'path'>;

const asks =
  (...requests: readonly RegExp[]) =>
  ({ method, path }: Request): boolean =>
    requests.some((request) => request.test(`${method} ${path}`));

/** A tool sends it, which has a key (Q2). */
const isOfTools = asks(
  /^(POST|PUT|GET) \/hooks\/\{key\}(\/\{preset\})?$/,
  /^POST \/v1\/json\/\{vendor\}$/,
  /^POST \/v2\/enqueue$/,
);
/** The operations that a key without configuration access may use (K3). */
const isAlertBusiness = asks(
  / \/hooks\//,
  / \/v1\/json\//,
  / \/v2\/enqueue$/,
  / \/v2\/alerts(?!\/simulate|\/\{\w+\}\/next-page)(\/|$)/,
  / \/v2\/users\/saved-searches(\/|$)/,
  / \/v2\/heartbeats\/[^/]+\/ping$/,
);
const isOpenToAll = asks(/ \/v2\/integrations\/authenticate$/, / \/v2\/request-limits$/);
/** Open without any key, so a key takes nothing away from it (A13, U9, S16). */
const isLink = asks(
  /^GET \/v2\/attachments\/\{token\}$/,
  /^GET \/v2\/calendars\/\{token\}\.ics$/,
  /^(GET|POST) \/acknowledge\/\{token\}$/,
);
/** A provider calls, which has no key (U18). */
const isCallback = asks(/^POST \/callbacks\/\{provider\}$/);
/** A person who wants to sign in has no key (K20). */
const isSignIn = asks(/^(GET|POST) \/console\/api\/sign-in(\/openid)?(\/redeem)?$/);
const needsNoKey = (request: Request): boolean => isLink(request) || isCallback(request) || isSignIn(request);
/** The requests of a signed-in user about themselves (K21). */
const isSession = asks(/ \/console\/api\/(sign-out|session|sessions|changes)(\/|$)/);
/** The operations that change nothing although they are not a GET (K3). */
const changesNothing = asks(
  /^GET /,
  /^\S+ \/v2\/heartbeats\/[^/]+\/ping$/,
  / \/v2\/integrations\/authenticate$/,
  /\/policies\/evaluate$/,
  /\/alerts\/simulate$/,
  /\/timeline\/simulate(-rotation)?$/,
  / \/v2\/integrations\/\{\w+\}\/try$/,
);
/** The operations on the account or its users (K8). */
const isNoTeamBusiness = asks(
  /^(POST|DELETE) \/v2\/teams(\/\{\w+\})?$/,
  / \/v2\/roles(\/|$)/,
  /^POST \/v2\/integrations$/,
  /^(POST|PUT|PATCH|DELETE) \/v2\/integrations\/\{\w+\}\/actions/,
  /\/rotate-key$/,
  / \/v1\/policies(\/|$)/,
  // The next page can be that of a schedule and an escalation of another team.
  /\/next-page$/,
  // Forwarding rules belong to users, as their contacts do.
  /^(POST|PUT|DELETE) \/v2\/forwarding-rules(\/|$)/,
  /^(POST|PUT|PATCH|DELETE) \/v2\/users(?!\/saved-searches)(\/|$)/,
  / \/v2\/imports\//,
  // Shadow keeps the messages of all teams back.
  /^PUT \/v2\/account\/shadow$/,
  // A check of a move names things of all teams, and so do the keys of their tools.
  / \/v2\/account\/(move|opsgenie-keys)$/,
);

function hasAccess({ mayRead, mayWrite }: KeyPrincipal, request: Request): boolean {
  if (isOfTools(request)) return mayWrite || !mayRead;
  return changesNothing(request) ? mayRead : mayWrite;
}

function mayDo(key: KeyPrincipal, request: Request): boolean {
  if (needsNoKey(request)) return true;
  if (isSession(request)) return false;
  if (key.teamId !== undefined && isNoTeamBusiness(request)) return false;
  if (!hasAccess(key, request)) return false;
  return key.mayConfigure || isAlertBusiness(request) || isOpenToAll(request);
}

function passes(principal: Principal, operation: Operation): boolean {
  try {
    authorize(principal, operation);
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

/** The operations of admins of the account. */
const isForAdmins = asks(
  /^(POST|DELETE) \/v2\/teams(\/\{\w+\})?$/,
  /^(POST|PUT|DELETE) \/v2\/roles(\/|$)/,
  /^(POST|PUT|DELETE) \/v1\/policies(\/|$)/,
  /^(POST|DELETE) \/v2\/users(\/\{\w+\})?$/,
  /\/notification-rules\/copy-to$/,
  /^PUT \/v2\/account\/shadow$/,
  /^(PUT|DELETE) \/v2\/account\/move$/,
  /^GET \/v2\/account\/opsgenie-keys$/,
);
/** A command imports an account, with a key of the account (I1). */
const isImport = asks(/ \/v2\/imports\//);
/** The requests of a key about itself. */
const isAboutKey = asks(/ \/v2\/integrations\/authenticate$/);
/** A link that a person opens is a GET, which says no more of its page: it may not hold back an alert. */
const isPingByLink = asks(/^GET \/v2\/heartbeats\/[^/]+\/ping$/);
/** A ping holds back an alert, so roles that only read may not send it. */
const isPing = asks(/ \/v2\/heartbeats\/[^/]+\/ping$/);

const isForKeys = (request: Request): boolean => isAboutKey(request) || isOfTools(request) || isImport(request);

function mayCall(role: PersonRole, request: Request): boolean {
  if (needsNoKey(request) || isForKeys(request) || isPingByLink(request)) return false;
  if (isSession(request)) return true;
  if (role === 'owner' || role === 'admin') return true;
  if (role === 'user') return !isForAdmins(request);
  return changesNothing(request) && !isForAdmins(request) && !isPing(request);
}

describe.each(PERSON_ROLES)('a person of the role %s', (role) => {
  it('may call what K11 says, and nothing else', () => {
    const allowed = OPERATIONS.filter((operation) => passes(ada(role), operation));
    expect(named(allowed)).toEqual(named(OPERATIONS.filter((operation) => mayCall(role, operation))));
  });
});

/**
 * The operations with which K12 lets a user change their own entities, those of their teams, or those of the teams that they
 * administer.
 */
const ENTITY_RULES: readonly (readonly [People, (request: Request) => boolean])[] = [
  [
    'self',
    asks(
      /^PATCH \/v2\/users\/\{\w+\}$/,
      /^(POST|PATCH|DELETE) \/v2\/users\/\{\w+\}\/(browsers|calendar-link|contacts|devices|notification-rules|readiness-mail)(?!\/copy-to)(\/|$)/,
    ),
  ],
  ['own', asks(/^(POST|PUT|DELETE) \/v2\/forwarding-rules/)],
  ['team-member', asks(/^(POST|PUT|DELETE) \/v2\/schedules\/\{\w+\}\/overrides/)],
  [
    'team-admin',
    asks(
      /^(POST|PATCH|DELETE) \/v2\/(escalations|schedules)(?!\/\{\w+\}\/(overrides|timeline))/,
      /^(POST|PUT|PATCH|DELETE) \/v2\/integrations(?!\/authenticate|\/\{\w+\}\/try)/,
      /^(POST|PATCH|DELETE) \/v2\/heartbeats(?!\/\{\w+\}\/ping)/,
      /^(POST|PUT|DELETE) \/v1\/maintenance/,
      /^(POST|PUT|DELETE) \/v2\/policies(?!\/evaluate)/,
      /^PATCH \/v2\/teams\/\{\w+\}$/,
      /^(POST|PATCH|DELETE) \/v2\/teams\/\{\w+\}\/(members|routing-rules|roles)/,
    ),
  ],
];

describe.each(ENTITY_RULES)('the entity rule %s', (people, isAsked) => {
  it('holds for the operations of K12, and no other', () => {
    const held = OPERATIONS.filter((operation) => peopleOf(operation) === people);
    expect(named(held)).toEqual(named(OPERATIONS.filter(isAsked)));
  });
});
