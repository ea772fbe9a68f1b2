import type { AlertEvent, AlertState, Cancel, DecisionFinding, Page, TimedCancel, TimedEvent } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import type { AlertOrder, Effects } from './effects.ts';
import { dueItems, type DueItem } from './due.ts';
import { applyEvent } from './apply-event.ts';
import type { RoutingView } from './routing.ts';
import type { EscalationState } from './escalation-state.ts';
import { applyEffects, fireDueSteps, transitionSteps } from './transitions.ts';

/** The pages of an alert if no user acted. */
export interface EscalationSimulation {
  readonly pages: readonly Page[];
  /** The cancels of the pages. */
  readonly cancels: readonly TimedCancel[];
  readonly findings: readonly (DecisionFinding & { readonly at: Date })[];
  /** The given events, and those that the escalation state itself would lead to, in their order. */
  readonly events: readonly TimedEvent[];
  /** The users and teams that were not found. */
  readonly unknown: readonly Mention[];
  /** Whether a limit ended the simulation before its last event or due item. */
  readonly truncated: boolean;
}

/** The limits of one simulation. */
export interface SimulationLimits {
  readonly pages: number;
  readonly events: number;
  readonly findings: number;
  readonly findingBytes: number;
  readonly transitions: number;
  readonly until: Date;
  /** Whether the time to compute it is used up: this process also pages users. */
  readonly isTimeUp: () => boolean;
}

/**
 * Runs the escalations of one alert through `events`, each rule at its time, with the functions that decide about real escalation
 * states, in steps. Nothing is written, and every order of the state is carried out at once (S9).
 */
export function* simulateEscalations(
  events: readonly TimedEvent[],
  view: RoutingView,
  limits: SimulationLimits,
): Steps<EscalationSimulation> {
  const agenda = new Agenda(events);
  const simulated: SimulatedParts = { pages: [], cancels: [], findings: [], events: [], unknown: [] };
  let findingBytes = 0;
  let state: EscalationState | undefined;
  for (let transitions = 0; ; transitions += 1) {
    yield;
    const next = agenda.next(state);
    if (next === undefined || hasReached(limits, { ...simulated, findingBytes, transitions, at: next.at }))
      return withinPageLimit(simulated, limits, next !== undefined);
    if (next.event !== undefined) simulated.events.push(next);
    const transition = yield* simulateNext(state, next, view);
    if (transition === undefined) continue;
    state = transition.state;
    simulated.cancels.push(...transition.cancels.map((cancel) => ({ at: next.at, cancel })));
    for (const effects of transition.effects) {
      simulated.pages.push(...effects.pages);
      simulated.findings.push(...effects.findings.map((finding) => ({ ...finding, at: next.at })));
      simulated.unknown.push(...effects.unknown);
      findingBytes += effects.findingBytes;
      agenda.addEventsOf(effects.orders, transition.state, next.at);
    }
  }
}

type SimulatedParts = {
  -readonly [Part in keyof Omit<EscalationSimulation, 'truncated'>]: EscalationSimulation[Part][number][];
};

interface SimulationProgress extends SimulatedParts {
  readonly findingBytes: number;
  readonly transitions: number;
  /** The instant of the next event or due item. */
  readonly at: Date;
}

/** Whether a limit ends the simulation here. Events that the escalation state itself leads to count too. */
const hasReached = (limits: SimulationLimits, progress: SimulationProgress): boolean =>
  progress.pages.length > limits.pages ||
  progress.events.length >= limits.events ||
  progress.findings.length > limits.findings ||
  progress.findingBytes > limits.findingBytes ||
  progress.transitions >= limits.transitions ||
  progress.at > limits.until ||
  limits.isTimeUp();

/** The simulation without the pages over the limit, which the last transition may have added. */
function withinPageLimit(
  simulated: SimulatedParts,
  limits: SimulationLimits,
  hasMoreToDo: boolean,
): EscalationSimulation {
  const pages = simulated.pages.slice(0, limits.pages);
  return { ...simulated, pages, truncated: hasMoreToDo || pages.length < simulated.pages.length };
}

/** What an event or a due item does to an escalation state; undefined where the event is a repeat. */
type SimulatedTransition =
  | { readonly state: EscalationState; readonly effects: readonly Effects[]; readonly cancels: readonly Cancel[] }
  | undefined;

/** Applies an event to an escalation state, or does a due item of it, at its time. */
export const simulateNext = (
  state: EscalationState | undefined,
  next: TimedEvent | TimedItem,
  view: RoutingView,
): Steps<SimulatedTransition> =>
  next.event === undefined ? simulateDueItem(state, next.item, view) : simulateEvent(state, next, view);

function* simulateEvent(
  state: EscalationState | undefined,
  { at, event }: TimedEvent,
  view: RoutingView,
): Steps<SimulatedTransition> {
  const applied = applyEvent(state, event);
  if (applied === undefined) return undefined;
  const { state: after, transitions } = yield* transitionSteps(applied, view, at);
  const cancels = applied.cancels.filter((each) => each.kind === 'cancel');
  return { state: after, effects: transitions.map(({ effects }) => effects), cancels };
}

function* simulateDueItem(
  state: EscalationState | undefined,
  item: DueItem,
  view: RoutingView,
): Steps<SimulatedTransition> {
  if (state === undefined) return undefined;
  yield;
  const effects = yield* fireDueSteps(state, item, view, item.dueAt);
  yield;
  return { state: applyEffects(state, effects), effects: [effects], cancels: [] };
}

/** A due item, at its time. */
interface TimedItem {
  readonly at: Date;
  readonly item: DueItem;
  readonly event?: never;
}

/** The events and due items that are still to come. */
export class Agenda {
  #events: readonly TimedEvent[];

  constructor(events: readonly TimedEvent[]) {
    this.#events = events;
  }

  /**
   * The next event or due item of `state`: of one instant events first. An event is removed here, a due item by its transition. An event
   * gets a later version where an order of the escalation state led to others before it. Look-ups are left out, because they would find
   * no new recipient.
   */
  next(state: EscalationState | undefined): TimedEvent | TimedItem | undefined {
    const event = earliest(this.#events, ({ at }) => at);
    const item = state && dueItems(state).find(({ kind }) => kind !== 'look-up');
    if (event !== undefined && (item === undefined || event.at <= item.dueAt)) {
      this.#events = this.#events.filter((each) => each !== event);
      const version = Math.max(event.event.version, (state?.alertVersion ?? 0) + 1);
      return { ...event, event: { ...event.event, version } };
    }
    return item && { at: item.dueAt, item };
  }

  /** Adds the events by which alert-processor would carry out `orders` of `state`. After a close there are no further events. */
  addEventsOf(orders: readonly AlertOrder[], state: EscalationState, at: Date): void {
    const added = orders.flatMap((order) => eventOfOrder(state, order, at) ?? []);
    const hasClose = added.some(({ event }) => event.state.status !== 'open');
    this.#events = [...added, ...(hasClose ? [] : this.#events)];
  }
}

function earliest<T>(items: readonly T[], at: (item: T) => Date): T | undefined {
  return items.reduce<T | undefined>(
    (first, item) => (first === undefined || at(item) < at(first) ? item : first),
    undefined,
  );
}

/**
 * The event by which alert-processor reports that it has carried out an order; undefined for an order that only users lead to. A
 * reset undoes each acknowledgement, because in a simulation no user acknowledges after it is due.
 */
function eventOfOrder(state: EscalationState, { id: factId, action }: AlertOrder, at: Date): TimedEvent | undefined {
  if (action.kind === 'add-responder') return undefined;
  const isClose = action.kind === 'close';
  const alert: AlertState = { ...state.alert, ...(isClose ? { status: 'closed' } : { acknowledged: false }) };
  const event: AlertEvent = {
    alertId: state.alertId,
    version: state.alertVersion + 1,
    state: alert,
    facts: [{ factId, kind: isClose ? 'closed' : 'reset', actor: 'System', at: at.toISOString() }],
    acceptedAt: state.acceptedAt,
  };
  return { at, event };
}
