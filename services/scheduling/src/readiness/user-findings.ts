import type { NotificationRuleState, TimeRestriction, UserState } from '@tocsin/events';
import { neverHoldsFor } from '@tocsin/rules';
import type { Steps } from '@tocsin/core';
import { Restriction } from '../on-call/restriction.ts';
import { gapsIn, type Span, unite } from '../on-call/span.ts';
import { type Finding, lengthText, rangeAhead, type ReadinessView } from './finding.ts';
import { firstSource, type PagingSources, sourceForTeam } from './paged-users.ts';

/** The roles whose users no one pages by themselves. */
const READING_ROLES: ReadonlySet<string> = new Set(['observer', 'stakeholder']);

/** A user whom pages will not reach, or not always (S17). `teamIds`: the teams of which the user is a member. */
export function* userFindingSteps(
  user: UserState,
  sources: PagingSources | undefined,
  teamIds: readonly string[],
  view: ReadinessView,
): Steps<Finding | undefined> {
  const unreachable = whyUnreachable(user);
  if (sources === undefined)
    return unreachable === undefined ? undefined : unpagedUserFinding(user, unreachable, teamIds);
  const owners = [...sources.keys()].filter((id) => id !== undefined);
  const about = {
    teamIds: [...new Set([...teamIds, ...owners])],
    entity: { type: 'user', id: user.id, name: user.username },
  } as const;
  if (unreachable === undefined) return yield* ruleFindingSteps(user, sources, view, about);
  const { remedy, what, why } = unreachable;
  const messages = pagingMessages(sources, user, `who gets no message: ${why}.`);
  return { ...about, kind: 'user-without-contact', severity: 'error', ...messages, remedy, path: pathOf(user, what) };
}

/** The sentence `… pages <user>, <rest>` with the first source that its reader may see. */
function pagingMessages(
  sources: PagingSources,
  { username }: UserState,
  rest: string,
): Pick<Finding, 'message' | 'messageFor'> {
  const sentence = (text: string): string => `${text} pages ${username}, ${rest}`;
  return { message: sentence(firstSource(sources)), messageFor: (teamId) => sentence(sourceForTeam(teamId, sources)) };
}

interface Unreachable {
  readonly why: string;
  readonly remedy: string;
  readonly what: string;
}

function whyUnreachable({ blocked, contacts }: UserState): Unreachable | undefined {
  const reachable = 'Add a contact of the user, or verify or enable one.';
  if (blocked) return { why: 'the user is blocked', remedy: 'Unblock the user, or page another one.', what: '' };
  if (contacts.length === 0) return { why: 'the user has no contact', remedy: reachable, what: '/contacts' };
  if (contacts.some(isUsable)) return undefined;
  return { why: 'no contact of the user is enabled and verified', remedy: reachable, what: '/contacts' };
}

const isUsable = ({ enabled, subscriptionEnded, unverified }: UserState['contacts'][number]): boolean =>
  enabled && unverified !== true && subscriptionEnded !== true;

const pathOf = ({ id }: UserState, what: string): string => `/v2/users/${id}${what}`;

/** A user whom no schedule, escalation or forwarding rule pages yet: an alert may name them as responder. Blocked users have left. */
function unpagedUserFinding(
  user: UserState,
  { remedy, what, why }: Unreachable,
  teamIds: readonly string[],
): Finding | undefined {
  if (user.blocked || READING_ROLES.has(user.role)) return undefined;
  return {
    kind: 'user-without-contact',
    severity: 'warning',
    teamIds,
    entity: { type: 'user', id: user.id, name: user.username },
    message: `An alert with ${user.username} as responder sends no message: ${why}.`,
    remedy,
    path: pathOf(user, what),
  };
}

function* ruleFindingSteps(
  user: UserState,
  sources: PagingSources,
  view: ReadinessView,
  about: Pick<Finding, 'teamIds' | 'entity'>,
): Steps<Finding | undefined> {
  const usable = new Set(user.contacts.filter(isUsable).map(addressOf));
  const restrictions: TimeRestriction[] = [];
  for (const rule of user.notificationRules) {
    if (mayPage(rule, usable)) {
      if (rule.timeRestriction === undefined) return undefined;
      restrictions.push(rule.timeRestriction);
    }
    yield;
  }
  const gaps = yield* timesOutsideSteps(restrictions, user.timeZone, rangeAhead(view));
  if (gaps.length === 0) return undefined;
  const common = { ...about, kind: 'user-without-rule', path: pathOf(user, '/notification-rules') } as const;
  if (restrictions.length === 0) {
    return {
      ...common,
      severity: 'error',
      ...pagingMessages(
        sources,
        user,
        'who gets no message about a P1 alert: no notification rule for new alerts holds for P1 and has a step to a usable contact.',
      ),
      remedy: 'Add a notification rule for new alerts that holds for P1, with a step to a contact that is verified.',
    };
  }
  const length = lengthText(gaps.reduce((sum, { from, until }) => sum + until - from, 0));
  return {
    ...common,
    severity: 'warning',
    ...pagingMessages(
      sources,
      user,
      `who gets no message about a P1 alert at some times, ${length} of the next 14 days: outside of these times the time restrictions of the notification rules hold.`,
    ),
    remedy: 'Add a notification rule for new alerts without a time restriction.',
    periods: gaps,
  };
}

const addressOf = ({ method, to }: NotificationRuleState['steps'][number]['contact']): string => `${method} ${to}`;

/** Whether the rule may send a message about a new P1 alert. `usable`: the addresses of the contacts that get messages. */
const mayPage = (
  { actionType, criteria, enabled, steps }: NotificationRuleState,
  usable: ReadonlySet<string>,
): boolean =>
  enabled &&
  actionType === 'create-alert' &&
  steps.some((step) => step.enabled && usable.has(addressOf(step.contact))) &&
  !neverHoldsFor(criteria, 'P1');

/** So many restrictions are united at a time: each has some 40 spans in 14 days. */
const UNITED_AT_ONCE = 100;

/** The parts of `range` in which no restriction holds, on the wall clock of `zone`. */
function* timesOutsideSteps(
  restrictions: readonly TimeRestriction[],
  zone: string,
  range: Span,
): Steps<readonly Span[]> {
  let covered: readonly Span[] = [];
  let others: Span[] = [];
  for (const [index, restriction] of restrictions.entries()) {
    others.push(...new Restriction(restriction, zone).during(range));
    if ((index + 1) % UNITED_AT_ONCE === 0) {
      covered = unite([...covered, ...others]);
      others = [];
    }
    yield;
  }
  return gapsIn(range, unite([...covered, ...others]));
}
