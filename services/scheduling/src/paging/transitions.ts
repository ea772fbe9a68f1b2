import { isCall } from '@tocsin/events';
import { finished, type Steps } from '@tocsin/core';
import { nameIn } from '../configuration/snapshot.ts';
import { TransitionCache } from './transition-cache.ts';
import { carryOut } from './manual-requests.ts';
import { Effects, type EffectsOptions } from './effects.ts';
import type { DueItem } from './due.ts';
import { hasFlowEnded, logExhausted } from './exhausted.ts';
import { fireDueRules, fireRule, retryLookUp } from './fire.ts';
import { notifyUpdates, type StatusUpdate } from './status-updates.ts';
import { openResponders, type TransitionContext } from './open.ts';
import type { AppliedEvent, Opening, ManualRequest } from './apply-event.ts';
import { endRepeat, startNextRepeat } from './repeat.ts';
import type { RoutingView } from './routing.ts';
import {
  isOfFormerRepeat,
  ruleKey,
  type ActiveEscalation,
  type LookUp,
  type EscalationState,
} from './escalation-state.ts';

/**
 * Starts the cycle of an escalation state at `at`: opens its responders, and fires the rules that are due by then. Delays count from the
 * start of the cycle, even when its event comes late. The users on call are those at `at` (S9).
 *
 * In a cycle that is superseded or stopped this pages no user, and counts no missing recipient.
 */
export function* openCycle(state: EscalationState, opening: Opening, view: RoutingView, at: Date): Steps<Effects> {
  const startedAt = new Date(state.alert.flowStartedAt);
  const isSilent = opening.mode !== 'page';
  const context = contextOf(state, isSilent ? startedAt : at, view, { isSilent });
  yield* openResponders(context, opening, startedAt);
  if (opening.mode !== 'stopped') yield* fireOpened(context);
  if (isSilent) context.effects.withoutRecipient = 0;
  return context.effects;
}

/** The effects that change an escalation state once, and the state before that. */
export interface Transition {
  /** Unique among the transitions of an escalation state. */
  readonly name: string;
  readonly state: EscalationState;
  readonly effects: Effects;
}

interface EventTransitions {
  /** The state after all transitions. */
  readonly state: EscalationState;
  readonly transitions: readonly Transition[];
}

/** The transitions that an event causes, each from the escalation state that the one before left. */
export const computeTransitions = (applied: AppliedEvent, view: RoutingView, at: Date): EventTransitions =>
  finished(transitionSteps(applied, view, at));

/** As {@link computeTransitions}, with a step after each rule, each target and a few users. */
export function* transitionSteps(
  { opening, completedOrderIds, updates, requests, state }: AppliedEvent,
  view: RoutingView,
  at: Date,
): Steps<EventTransitions> {
  const caused: Transition[] = [];
  let after = state;
  const add = (name: string, effects: Effects): void => {
    caused.push({ name, state: after, effects });
    after = applyEffects(after, effects);
  };
  if (opening !== undefined) add('start', yield* openCycle(after, opening, view, at));
  if (completedOrderIds.size > 0)
    add([...completedOrderIds].join(), yield* completeOrders(after, completedOrderIds, view, at));
  if (requests.length > 0)
    add(requests.map(({ factId }) => factId).join(), yield* carryOutRequests(after, requests, view, at));
  if (updates.length > 0)
    add(`notified:${updates.map(({ fact }) => fact.factId).join()}`, notifyOfUpdates(after, updates, view, at));
  return { state: after, transitions: caused };
}

/** Notifies the users who were paged of status updates (U16). */
export function notifyOfUpdates(
  state: EscalationState,
  updates: readonly StatusUpdate[],
  view: RoutingView,
  at: Date,
): Effects {
  const context = contextOf(state, at, view);
  notifyUpdates(context, updates);
  return context.effects;
}

/** The escalation state without a due item that fails each time (S9). */
export function withoutDueItem(state: EscalationState, item: DueItem): EscalationState {
  if (item.kind === 'look-up') return { ...state, lookUps: state.lookUps.filter(({ id }) => id !== item.lookUpId) };
  if (item.kind === 'exhausted') return { ...state, exhaustedDueAt: undefined };
  const active = dueEscalation(state, item);
  if (active === undefined) return state;
  if (item.kind === 'rule') return { ...state, done: [...new Set([...state.done, ruleKey(active, item.ruleIndex)])] };
  return {
    ...state,
    escalations: state.escalations.map((each) => (each === active ? { ...active, repeat: undefined } : each)),
  };
}

type DueOf<Kind extends DueItem['kind']> = DueItem & { readonly kind: Kind };

const dueEscalation = (
  state: EscalationState,
  { routeId, repeatNumber }: DueOf<'rule' | 'repeat'>,
): ActiveEscalation | undefined =>
  state.escalations.find(
    (active) => active.id === routeId && active.repeatNumber === repeatNumber && !active.isStopped,
  );

const dueLookUp = (state: EscalationState, { attempt, lookUpId }: DueOf<'look-up'>): LookUp | undefined =>
  state.lookUps.find((lookUp) => lookUp.id === lookUpId && lookUp.attempt === attempt);

/**
 * Does a due item at `at`, unless the escalation state has changed so that it is no longer due: fires the rule with all that it
 * opens, ends the repeat of the active escalation, repeats a look-up, or logs that the flow is exhausted.
 */
export const fireDue = (state: EscalationState, item: DueItem, view: RoutingView, at: Date): Effects =>
  finished(fireDueSteps(state, item, view, at));

/** As {@link fireDue}, with a step after each rule, each target and a few users. */
export function* fireDueSteps(state: EscalationState, item: DueItem, view: RoutingView, at: Date): Steps<Effects> {
  const lookUp = item.kind === 'look-up' ? dueLookUp(state, item) : undefined;
  const context: TransitionContext = {
    ...contextOf(state, at, view, { since: lookUp?.since, keepsSkipped: true }),
    alertAtRequest: lookUp?.alertAtRequest,
  };
  switch (item.kind) {
    case 'rule':
    case 'repeat':
      yield* fireRuleOrEndRepeat(context, item);
      break;
    case 'look-up':
      if (lookUp !== undefined) yield* retryLookUp(context, lookUp);
      break;
    case 'exhausted':
      if (hasFlowEnded(state)) logExhausted(state, context.effects);
  }
  yield* fireOpened(context);
  return context.effects;
}

function* fireRuleOrEndRepeat(context: TransitionContext, item: DueOf<'rule' | 'repeat'>): Steps<void> {
  const active = dueEscalation(context.state, item);
  if (active === undefined) return;
  if (item.kind === 'repeat') yield* endRepeat(context, active);
  else yield* fireRule(context, active, item.ruleIndex);
}

/**
 * Starts the next repeat of each active escalation whose order alert-processor has carried out; `done` has the ids of those orders.
 */
export function* completeOrders(
  state: EscalationState,
  done: ReadonlySet<string>,
  view: RoutingView,
  at: Date,
): Steps<Effects> {
  const context = contextOf(state, at, view);
  for (const active of state.escalations)
    if (active.awaitedOrderId !== undefined && done.has(active.awaitedOrderId) && !active.isStopped)
      startNextRepeat(context, active);
  yield* fireOpened(context);
  return context.effects;
}

/** Carries out manual requests, also while the alert is acknowledged (A9). */
export function* carryOutRequests(
  state: EscalationState,
  requests: readonly ManualRequest[],
  view: RoutingView,
  at: Date,
): Steps<Effects> {
  const context: TransitionContext = { ...contextOf(state, at, view), alertAtRequest: requests[0]?.alertAtRequest };
  yield* carryOut(context, requests);
  yield* fireOpened(context);
  return context.effects;
}

function contextOf(
  state: EscalationState,
  at: Date,
  view: RoutingView,
  options: Omit<EffectsOptions, 'nameOf'> = {},
): TransitionContext {
  const effects = new Effects(state, at, { nameOf: (responder) => nameIn(view, responder), ...options });
  return { state, view, effects, cache: new TransitionCache(state, view, effects) };
}

/**
 * Fires the rules that are due already of the active escalations that started in this transition. These become more during the loop,
 * because rules may open further escalations. The loop ends, because no route opens a target twice.
 */
function* fireOpened(context: TransitionContext): Steps<void> {
  for (const active of context.effects.started) yield* fireDueRules(context, active);
}

/**
 * The escalation state after `effects`. An escalation that repeats replaces itself, and the escalations that its former repeat opened end.
 */
export function applyEffects(state: EscalationState, effects: Effects): EscalationState {
  const { lookUps } = effects;
  return {
    ...state,
    ...escalationsAfter(state, effects),
    lookUps,
    pagedMeanwhile: lookUps.length === 0 ? [] : pagedMeanwhile(state, effects),
    orders: state.orders + effects.orders.length,
    noteMinutes: effects.noteMinutes ?? state.noteMinutes,
    isExhausted: effects.exhausted || state.isExhausted,
    exhaustedDueAt: effects.exhausted ? undefined : state.exhaustedDueAt,
    reached: [...new Set([...state.reached, ...effects.pages.filter(isCall).map(({ userId }) => userId)])],
  };
}

function pagedMeanwhile(state: EscalationState, { at, pages }: Effects): EscalationState['pagedMeanwhile'] {
  const now = pages.flatMap(({ cancelOn, userId }) => (cancelOn === undefined ? [] : { userId, cancelOn, at }));
  return [
    ...new Map([...state.pagedMeanwhile, ...now].map((page) => [`${page.cancelOn}:${page.userId}`, page])).values(),
  ];
}

/**
 * The active escalations after `effects`, and the progress of their rules. Most transitions start and change no active escalation: then
 * the done rules, of which there may be 20 000, are not searched for rules of escalations that ended.
 */
function escalationsAfter(
  state: EscalationState,
  effects: Effects,
): Pick<EscalationState, 'escalations' | 'done' | 'skipped'> {
  const { done, skipped } = effects.rules.after();
  const changed = [...effects.changed, ...effects.started];
  if (changed.length === 0) return { escalations: state.escalations, done, skipped };
  const replaced = new Set(changed.map(({ id }) => id));
  const escalations = [...state.escalations.filter(({ id }) => !replaced.has(id)), ...changed].filter(
    ({ id }) => !isOfFormerRepeat(effects.started, id),
  );
  const rules = new Set(escalations.flatMap((active) => active.rules.map((_, index) => ruleKey(active, index))));
  const ofActiveRules = (keys: readonly string[]) => keys.filter((key) => rules.has(key));
  return { escalations, done: ofActiveRules(done), skipped: ofActiveRules(skipped) };
}
