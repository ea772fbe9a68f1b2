import { compareVersions, type CancelOn, type NotifyType } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { EscalationRule } from '../escalations/escalation.ts';
import { selectMembers } from '../configuration/snapshot.ts';
import { skipOrLookUp } from './look-up.ts';
import { openTarget, openTeam, openUser, type TransitionContext } from './open.ts';
import {
  dueAt,
  refusal,
  ruleAndRepeat,
  ruleKey,
  type ActiveEscalation,
  type LookUp,
  type Route,
} from './escalation-state.ts';

/** A rule may notify a team of thousands of members, and a thousand rules may do so. */
const MAX_USERS_PER_STEP = 20;

/** Fires those rules of a newly opened active escalation that are due already. */
export function* fireDueRules(context: TransitionContext, active: ActiveEscalation): Steps<void> {
  for (const [ruleIndex, rule] of active.rules.entries())
    if (dueAt(active, rule) <= context.effects.at) yield* fireRule(context, active, ruleIndex);
}

/**
 * Fires a rule, once: its condition is checked now, and the users on call are those now. If it finds no recipient, the next one
 * fires at once (S9), and does not fire again at its own time.
 */
export function* fireRule(context: TransitionContext, active: ActiveEscalation, ruleIndex: number): Steps<void> {
  for (let index = ruleIndex; yield* fireOne(context, active, index); index += 1)
    if (context.alertAtRequest !== undefined) context.effects.rules.reopen(ruleKey(active, index + 1));
}

/** Fires or skips one rule. Returns whether the next one fires at once. */
function* fireOne(context: TransitionContext, active: ActiveEscalation, ruleIndex: number): Steps<boolean> {
  yield;
  const { effects, state } = context;
  const { rules } = effects;
  const rule = active.rules[ruleIndex];
  const key = ruleKey(active, ruleIndex);
  if (rule === undefined || rules.isDone(key)) return false;
  const name = `Rule ${ruleIndex + 1} of escalation [${active.escalationName}]`;
  const { id, repeatNumber } = active;
  const facts = { branch: id, repeatNumber, ruleIndex, condition: rule.condition, recipient: rule.recipient };
  const refused = refusal(state, context.alertAtRequest !== undefined ? 'if-not-closed' : rule.condition);
  if (refused !== undefined) {
    rules.skip(key);
    effects.logDecision('escalation-rule', 'skipped', `${name} is skipped: ${refused}.`, facts);
    return false;
  }
  rules.fire(key);
  const how = `(${rule.notifyType} of ${rule.recipient.type})${changeOfEscalation(context, active)}`;
  effects.logDecision('escalation-rule', 'fired', `${name} fired ${how}.`, facts);
  const { limitHits } = effects;
  // Where routing stopped at a limit, the next rule fires at its own time, in another transition.
  if ((yield* notifyRecipient(context, active, rule, ruleIndex)) || effects.limitHits > limitHits) return false;
  const next = active.rules[ruleIndex + 1];
  const then = next === undefined ? 'there is no further rule' : 'the next rule follows at once';
  effects.withoutRecipient += 1;
  effects.logDecision('escalation-rule', 'no-recipient', `${name} found no recipient; ${then}.`, facts);
  return next !== undefined;
}

/** The words of the log where the escalation has changed since its flow started: a running flow keeps its rules (S9). */
function changeOfEscalation({ view }: TransitionContext, { escalationId, version }: ActiveEscalation): string {
  const present = view.escalation(escalationId);
  if (present !== undefined && compareVersions(present.version, version) === 0) return '';
  const change = present === undefined ? 'deleted' : 'changed';
  return `, as it was when this flow started: the escalation was ${change} since`;
}

function* notifyRecipient(
  context: TransitionContext,
  active: ActiveEscalation,
  rule: EscalationRule,
  ruleIndex: number,
): Steps<boolean> {
  const route: Route = {
    origin: {
      routeId: active.id,
      rule: String(ruleIndex),
      repeatNumber: active.repeatNumber,
      isStopped: active.isStopped,
      cancelOn: cancelOn(context, rule.condition === 'if-not-closed'),
      // A rule that fires early, because the one before found no recipient, falls due now.
      dueAt: earlier(dueAt(active, rule), context.effects.at),
      why: `rule ${ruleIndex + 1} of escalation [${active.escalationName}]`,
    },
    targets: active.targets,
  };
  const { notifyType, recipient } = rule;
  switch (notifyType) {
    case 'default':
    case 'next':
    case 'previous': {
      const origin =
        recipient.type === 'team'
          ? { ...route.origin, routeId: `${active.id}/${ruleAndRepeat(route.origin)}` }
          : route.origin;
      return yield* openTarget(context, recipient, { ...route, origin }, notifyType);
    }
    case 'all':
    case 'users':
    case 'admins':
    case 'random':
      return yield* notifyMembers(context, recipient.id, notifyType, route);
  }
}

function* notifyMembers(context: TransitionContext, teamId: string, choice: NotifyType, route: Route): Steps<boolean> {
  const { view } = context;
  const team = view.team(teamId);
  if (team === undefined) {
    skipOrLookUp(context, { type: 'team', id: teamId }, route, choice);
    return false;
  }
  const members = selectMembers(team, choice);
  const chosen = choice === 'random' ? pickMember(context, members) : members;
  const origin = { ...route.origin, why: `${route.origin.why}, member of team [${team.name}]` };
  const opened: boolean[] = [];
  for (const [index, userId] of chosen.entries()) {
    if (index % MAX_USERS_PER_STEP === 0) yield;
    opened.push(openUser(context, userId, { ...route, origin }));
  }
  return opened.includes(true);
}

/** Picks one of the known members, or of all where none is known. The unknown ones are looked up, and the next pass of the transition picks again. */
function pickMember({ effects, view }: TransitionContext, members: readonly string[]): readonly string[] {
  const isKnown = (id: string): boolean => view.user(id) !== undefined;
  effects.unknown.push(...members.filter((id) => !isKnown(id)).map((id) => ({ type: 'user', id }) as const));
  const member = view.pick(members.filter(isKnown)) ?? view.pick(members);
  return member === undefined ? [] : [member];
}

/** Follows the route of a look-up again. A team may lead to rules that an acknowledgement does not end. */
export function* retryLookUp(context: TransitionContext, lookUp: LookUp): Steps<void> {
  const { attempt, choice, route, target } = lookUp;
  context.effects.endLookUp(lookUp);
  const again: Route = { ...route, attempt: attempt + 1 };
  if (target.type === 'user') openUser(context, target.id, again);
  else if (choice === 'default') yield* openTeam(context, target.id, again);
  else yield* notifyMembers(context, target.id, choice, again);
}

/** The change that ends a page. An acknowledgement does not end a page that a user requested while the alert was acknowledged (A9). */
export const cancelOn = ({ alertAtRequest }: TransitionContext, lastsUntilClose = false): CancelOn =>
  lastsUntilClose || alertAtRequest?.acknowledged === true ? 'close' : 'ack';

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
