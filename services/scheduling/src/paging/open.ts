import type { Responder } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { Escalation } from '../escalations/escalation.ts';
import type { Mention } from '../configuration/mentions.ts';
import type { OnCallAnswer } from '../on-call/on-call-answer.ts';
import type { ScheduleNotifyType } from '../on-call/on-call.ts';
import type { ForwardingResult } from '../forwarding/forwarding.ts';
import type { TransitionCache, ScheduleAnswer } from './transition-cache.ts';
import type { Effects } from './effects.ts';
import { isToBeLookedUp, scheduleLookUp, skipOrLookUp } from './look-up.ts';
import type { Opening, ManualRequest } from './apply-event.ts';
import { withinLimits } from './limits.ts';
import type { RoutingView } from './routing.ts';
import {
  ruleAndRepeat,
  type ActiveEscalation,
  type PageOrigin,
  type EscalationState,
  type Route,
} from './escalation-state.ts';

/** The input and the effects of one transition of one escalation state. */
export interface TransitionContext {
  readonly state: EscalationState;
  readonly view: RoutingView;
  readonly effects: Effects;
  readonly cache: TransitionCache;
  /** The state of the alert at a manual request: an acknowledgement does not prevent its pages (A9). */
  readonly alertAtRequest?: ManualRequest['alertAtRequest'] | undefined;
}

/** The most targets on one route. The ids of pages and active escalations grow with it. */
const MAX_ROUTE_LENGTH = 50;

/** Stands for the rule of a target that is reached without one. */
export const WITHOUT_RULE = '-';

/**
 * Opens the responders with which a cycle begins: users and schedules are paged at once, an escalation becomes an active escalation whose
 * rules fire later, a team is routed by its rules (architecture section 4, step 4).
 */
export function* openResponders(
  context: TransitionContext,
  { mode, responders }: Opening,
  startedAt: Date,
): Steps<void> {
  for (const responder of responders) {
    const routeId = `${responder.type}:${responder.id}`;
    const why = `responder ${responder.type}`;
    const origin: PageOrigin = {
      routeId,
      rule: WITHOUT_RULE,
      repeatNumber: 0,
      isStopped: mode !== 'page',
      cancelOn: 'ack',
      dueAt: startedAt,
      why,
    };
    yield* openTarget(context, responder, { origin, targets: [] });
  }
}

/**
 * Opens one user, schedule, escalation or team. True when it led to a page or to an active escalation; false when it found no
 * recipient. A target that is already on the route is not opened again (S4).
 */
export function* openTarget(
  context: TransitionContext,
  target: Responder,
  route: Route,
  notifyType: ScheduleNotifyType = 'default',
): Steps<boolean> {
  const key = `${target.type}:${target.id}`;
  if (route.targets.includes(key)) {
    const facts = { target, branch: route.origin.routeId };
    context.effects.logDecision('path', 'skipped', `The ${target.type} is on this route already.`, facts);
    return false;
  }
  if (route.targets.length >= MAX_ROUTE_LENGTH)
    return context.effects.stopAtLimit(`Routing stopped at a route of ${MAX_ROUTE_LENGTH} targets.`);
  if (!context.effects.takeTarget()) return false;
  const next: Route = { ...route, targets: [...route.targets, key] };
  yield;
  switch (target.type) {
    case 'user':
      return openUser(context, target.id, next);
    case 'schedule':
      return yield* openSchedule(context, target.id, next, notifyType);
    case 'escalation':
      return openEscalation(context, target.id, next);
    case 'team':
      return yield* openTeam(context, target.id, next);
  }
}

/**
 * Pages the user, or the user to whom their pages are forwarded at this moment (S13). A look-up pages no user for whom the alert was
 * acknowledged meanwhile.
 */
export function openUser(context: TransitionContext, userId: string, route: Route): boolean {
  const { effects, state, view } = context;
  const { origin } = route;
  if (isTooLate(state, route) || !effects.takeBudget(1)) return false;
  const { userId: recipientId, chain } = forwardedTo(context, userId, route);
  effects.takeBudget(chain.length);
  const user = view.user(recipientId);
  if (user === undefined) {
    skipOrLookUp(context, { type: 'user', id: recipientId }, route);
    return false;
  }
  const from = view.user(userId)?.username ?? userId;
  if (chain.length > 0) {
    const text = `Pages of ${from} are forwarded to ${user.username}.`;
    effects.logDecision('forwarding', 'forwarded', text, {
      branch: origin.routeId,
      fromUserId: userId,
      toUserId: recipientId,
      rules: chain.map(({ id }) => id),
    });
  }
  const why = chain.length > 0 ? `${origin.why}, forwarded from ${from}` : origin.why;
  effects.page(user.id, user.username, { ...origin, why });
  return true;
}

const isTooLate = ({ alert }: EscalationState, { attempt = 0, origin }: Route): boolean =>
  attempt > 0 && alert.acknowledged && origin.cancelOn === 'ack';

/** Forwarding rules to an unknown user are skipped. Where that user may exist, the forwarding is tried again after a look-up. */
function forwardedTo(context: TransitionContext, userId: string, route: Route): ForwardingResult {
  const { effects, view } = context;
  const notFound = new Set<string>();
  const exists = ({ id }: Mention): boolean => {
    const isKnown = view.user(id) !== undefined;
    if (!isKnown) notFound.add(id);
    return isKnown;
  };
  const found = view.forwardings.at(userId, effects.at.getTime(), exists);
  for (const id of notFound) {
    const mention = { type: 'user', id } as const;
    if (isToBeLookedUp(view, mention))
      scheduleLookUp(context, mention, route, { target: { type: 'user', id: userId } });
    else effects.unknown.push(mention);
  }
  return found;
}

function* openSchedule(
  context: TransitionContext,
  scheduleId: string,
  route: Route,
  notifyType: ScheduleNotifyType,
): Steps<boolean> {
  const { cache, effects, view } = context;
  const cached = cache.scheduleAnswer(scheduleId, notifyType);
  const { answer } = cached;
  const notFound = answer.rotations.flatMap(({ passedOver }) => passedOver.map(({ participant }) => participant));
  if (effects.takeBudget(notFound.length)) effects.unknown.push(...notFound);
  if (hasNoRecipient(answer) && route.origin.rule === WITHOUT_RULE) effects.withoutRecipient += 1;
  logOnCall(context, cached, { scheduleId, notifyType }, route);
  const why = `on call in schedule [${view.schedule(scheduleId)?.name ?? scheduleId}]`;
  const origin: PageOrigin = {
    ...route.origin,
    why: route.origin.rule === WITHOUT_RULE ? why : `${route.origin.why}, ${why}`,
  };
  const users = answer.users.map(({ userId: id }) => ({ type: 'user', id }) as const);
  const mayExist = notFound.filter((one) => isToBeLookedUp(view, one));
  const opened: boolean[] = [];
  for (const one of [...users, ...answer.responders, ...mayExist]) {
    yield;
    if (one.type === 'user') opened.push(openUser(context, one.id, { ...route, origin }));
    else opened.push(yield* openTarget(context, one, { ...route, origin: originBehind(origin, one) }));
  }
  return opened.includes(true);
}

/** Logs who is on call. The layers of a schedule are logged once in a transition; later findings name the route of the first. */
function logOnCall(
  { effects }: TransitionContext,
  cached: ScheduleAnswer,
  { notifyType, scheduleId }: { readonly scheduleId: string; readonly notifyType: ScheduleNotifyType },
  { origin: { routeId } }: Route,
): void {
  const { answer, layersIn } = cached;
  const layers = layersIn === undefined ? { layers: answer.rotations } : { layersIn };
  const facts = { branch: routeId, scheduleId, turn: notifyType, at: effects.at.toISOString(), ...layers };
  const isLogged = effects.logDecision(
    'on-call',
    hasNoRecipient(answer) ? 'no-recipient' : 'found',
    answer.explanation,
    facts,
  );
  if (isLogged) cached.layersIn ??= routeId;
}

const hasNoRecipient = ({ responders, users }: OnCallAnswer): boolean => users.length + responders.length === 0;

/** The origin of a target to which a schedule or a team leads. */
const originBehind = (origin: PageOrigin, target: Responder): PageOrigin => ({
  ...origin,
  routeId: `${origin.routeId}/${ruleAndRepeat(origin)}>${target.type}:${target.id}`,
});

function openEscalation(context: TransitionContext, escalationId: string, route: Route): boolean {
  const { effects, state, view } = context;
  const escalation = view.escalation(escalationId);
  if (escalation === undefined) {
    effects.skip({ type: 'escalation', id: escalationId }, route.origin.routeId);
    return false;
  }
  const active = activeEscalation(escalation, route);
  if (!withinLimits(active, state, effects)) {
    const text = `Escalation [${escalation.name}] is skipped: the alert has too many active escalations.`;
    effects.logDecision('escalation', 'skipped', text, { escalationId, branch: active.id });
    return false;
  }
  effects.started.push(active);
  effects.logDecision('escalation', 'started', `Escalation [${escalation.name}] started.`, {
    escalationId,
    branch: active.id,
  });
  return true;
}

function activeEscalation(escalation: Escalation, { origin, targets }: Route): ActiveEscalation {
  return {
    id: origin.routeId,
    escalationId: escalation.id,
    escalationName: escalation.name,
    version: escalation.version,
    startedAt: origin.dueAt,
    isStopped: origin.isStopped,
    rules: escalation.rules,
    repeat: escalation.repeat,
    repeatNumber: 0,
    awaitedOrderId: undefined,
    targets,
  };
}

/** Routes a team by its rules. */
export function* openTeam(context: TransitionContext, teamId: string, route: Route): Steps<boolean> {
  const { cache, effects, view } = context;
  const team = view.team(teamId);
  if (team === undefined) {
    skipOrLookUp(context, { type: 'team', id: teamId }, route);
    return false;
  }
  const { routing, findings } = cache.teamAnswer(team);
  for (const { facts, outcome, subject, text } of findings)
    effects.logDecision(subject, outcome, text, { branch: route.origin.routeId, ...facts });
  const notify = routing.rule?.notify;
  if (notify === undefined || notify.type === 'none') return false;
  return yield* openTarget(context, notify, { ...route, origin: originBehind(route.origin, notify) });
}
