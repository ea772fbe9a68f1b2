import type { Responder } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import { cancelOn, fireRule } from './fire.ts';
import type { ManualRequest } from './apply-event.ts';
import { openTarget, type TransitionContext, WITHOUT_RULE } from './open.ts';
import { isFlowActive, ruleKey, type ActiveEscalation } from './escalation-state.ts';

/** Carries out manual requests (A9). Delays count from the request. */
export function* carryOut(context: TransitionContext, requests: readonly ManualRequest[]): Steps<void> {
  for (const request of requests)
    if (request.kind === 'escalated') yield* escalate(context, request);
    else yield* addResponder(context, request);
}

/** Opens an added responder, unless it is open. An escalation that is open but stopped starts again. */
function* addResponder(context: TransitionContext, request: ManualRequest): Steps<void> {
  const { effects, state } = context;
  const active = state.escalations.find(({ id }) => id === routeIdOf(request.responder));
  if (active === undefined) yield* open(context, request, 'added as responder');
  else if (active.isStopped) effects.started.push({ ...active, startedAt: new Date(request.at), isStopped: false });
}

/** Fires the next rule of an escalation. An escalation that is not active becomes a responder, and its first rule fires at once. */
function* escalate(context: TransitionContext, request: ManualRequest): Steps<void> {
  const { effects, state } = context;
  const { responder: escalation } = request;
  const running = state.escalations.filter(({ escalationId }) => escalationId === escalation.id);
  for (const active of running) if (yield* fireNext(context, active)) return;
  if (running.length > 0) {
    const name = running[0]?.escalationName ?? escalation.id;
    effects.logDecision('escalation', 'ended', `Escalation [${name}] has no further rule.`, {
      escalationId: escalation.id,
    });
    return;
  }
  const before = effects.started.length;
  yield* open(context, request, 'escalated to');
  const opened = effects.started[before];
  if (opened === undefined) return;
  yield* fireRule(context, opened, 0);
  const isResponder = state.alert.responders.some(({ type, id }) => type === 'escalation' && id === escalation.id);
  if (!isResponder) effects.order({ kind: 'add-responder', responder: escalation });
}

/** Fires the first rule of `active` that has not fired, or was skipped. True when there was one. */
function* fireNext(context: TransitionContext, active: ActiveEscalation): Steps<boolean> {
  const { rules } = context.effects;
  const next = active.rules.findIndex((_, index) => !rules.hasFired(ruleKey(active, index)));
  if (next < 0) return false;
  rules.reopen(ruleKey(active, next));
  yield* fireRule(context, active, next);
  return true;
}

const routeIdOf = ({ type, id }: Responder): string => `${type}:${id}`;

function* open(context: TransitionContext, { at, responder }: ManualRequest, why: string): Steps<void> {
  const origin = {
    routeId: routeIdOf(responder),
    rule: WITHOUT_RULE,
    repeatNumber: 0,
    isStopped: !isFlowActive(context.state.alert),
    cancelOn: cancelOn(context),
    dueAt: new Date(at),
    why,
  };
  yield* openTarget(context, responder, { origin, targets: [] });
}
