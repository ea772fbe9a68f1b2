import type { NotificationRuleState, UserState } from '@tocsin/events';
import { neverHoldsFor } from '@tocsin/rules';
import { Restriction } from '../on-call/restriction.ts';
import { gapsIn, type Span, united } from '../on-call/span.ts';
import { type Finding, lengthText, rangeAhead, type ReadinessView } from './finding.ts';
import type { Lead } from './paged-users.ts';

/** The roles whose users no one pages by themselves. */
const READING_ROLES: ReadonlySet<string> = new Set(['observer', 'stakeholder']);

/** A user whom pages will not reach, or not always (S17). `teamIds`: the teams of which the user is a member. */
export function userFinding(
  user: UserState,
  lead: Lead | undefined,
  teamIds: readonly string[],
  view: ReadinessView,
): Finding | undefined {
  const unreachable = whyUnreachable(user);
  if (lead === undefined) return unreachable === undefined ? undefined : withoutLead(user, unreachable, teamIds);
  const about = {
    teamIds: [...new Set([...teamIds, ...lead.teamIds])],
    entity: { type: 'user', id: user.id, name: user.username },
  } as const;
  const pages = `${lead.text} pages ${user.username}`;
  if (unreachable !== undefined) {
    const { remedy, what, why } = unreachable;
    const message = `${pages}, who gets no message: ${why}.`;
    return { ...about, kind: 'user-without-contact', severity: 'error', message, remedy, path: pathOf(user, what) };
  }
  return ruleFinding(user, pages, view, about);
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

/** A user to whom nothing leads yet: an alert may name them as responder. Blocked users have left. */
function withoutLead(
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

function ruleFinding(
  user: UserState,
  pages: string,
  view: ReadinessView,
  about: Pick<Finding, 'teamIds' | 'entity'>,
): Finding | undefined {
  const rules = user.notificationRules.filter((rule) => mayPage(rule, user));
  const gaps = timesWithoutRule(rules, user.timeZone, rangeAhead(view));
  if (gaps.length === 0) return undefined;
  const common = { ...about, kind: 'user-without-rule', path: pathOf(user, '/notification-rules') } as const;
  if (rules.length === 0) {
    return {
      ...common,
      severity: 'error',
      message: `${pages}, who gets no message about a P1 alert: no notification rule for new alerts holds for P1 and has a step to a usable contact.`,
      remedy: 'Add a notification rule for new alerts that holds for P1, with a step to a contact that is verified.',
    };
  }
  const length = lengthText(gaps.reduce((sum, { from, until }) => sum + until - from, 0));
  return {
    ...common,
    severity: 'warning',
    message: `${pages}, who gets no message about a P1 alert at some times, ${length} of the next 14 days: outside of these times the time restrictions of the notification rules hold.`,
    remedy: 'Add a notification rule for new alerts without a time restriction.',
    periods: gaps,
  };
}

/** Whether the rule may send a message about a new P1 alert. */
const mayPage = ({ actionType, criteria, enabled, steps }: NotificationRuleState, user: UserState): boolean =>
  enabled &&
  actionType === 'create-alert' &&
  !neverHoldsFor(criteria, 'P1') &&
  steps.some(
    (step) =>
      step.enabled &&
      user.contacts.some(
        (contact) => contact.method === step.contact.method && contact.to === step.contact.to && isUsable(contact),
      ),
  );

/** The parts of `range` in which no rule is in time, on the wall clock of `zone`. */
function timesWithoutRule(rules: readonly NotificationRuleState[], zone: string, range: Span): readonly Span[] {
  if (rules.some(({ timeRestriction }) => timeRestriction === undefined)) return [];
  const covered = rules.flatMap(({ timeRestriction }) =>
    timeRestriction === undefined ? [] : new Restriction(timeRestriction, zone).during(range),
  );
  return gapsIn(range, united(covered));
}
