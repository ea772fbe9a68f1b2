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
  /** Whether more would follow. */
  readonly truncated: boolean;
}

/** The limits of one simulation. */
export interface SimulationBounds {
  readonly pages: number;
  readonly events: number;
  readonly findings: number;
  /** Of findings. */
  readonly bytes: number;
  readonly transitions: number;
  readonly until: Date;
  /** Whether its time is used up: this process also pages users. */
  readonly isOver: () => boolean;
}

/**
 * Runs the escalations of one alert through `events`, each rule at its time, with the functions that decide about real escalation states, in steps. Nothing is
 * written, and every order of the state is carried out at once (S9).
 */
export function* simulateEscalations(
  events: readonly TimedEvent[],
  view: RoutingView,
  bounds: SimulationBounds,
): Steps<EscalationSimulation> {
  const agenda = new Agenda(events);
  const made: SimulationParts = { pages: [], cancels: [], findings: [], events: [], unknown: [] };
  let bytes = 0;
  let state: EscalationState | undefined;
  for (let taken = 0; ; taken += 1) {
    yield;
    const next = agenda.next(state);
    if (next === undefined || bytes > bounds.bytes || isFull(made, bounds))
      return cutTo(bounds, made, next !== undefined);
    if (isBeyond(bounds, next.at, taken)) return cutTo(bounds, made, true);
    if (next.event !== undefined) made.events.push(next);
    const transition = yield* simulatedTransition(state, next, view);
    if (transition === undefined) continue;
    state = transition.state;
    made.cancels.push(...transition.cancels.map((cancel) => ({ at: next.at, cancel })));
    for (const effects of transition.effects) {
      made.pages.push(...effects.pages);
      made.findings.push(...effects.findings.map((finding) => ({ ...finding, at: next.at })));
      made.unknown.push(...effects.unknown);
      bytes += effects.findingBytes;
      agenda.take(transition.state, effects, next.at);
    }
  }
}

/** Events that the escalation state itself leads to count too. */
const isFull = ({ events, pages, findings }: SimulationParts, most: SimulationBounds): boolean =>
  pages.length > most.pages || events.length >= most.events || findings.length > most.findings;

const isBeyond = ({ isOver, transitions: most, until }: SimulationBounds, at: Date, taken: number): boolean =>
  at > until || taken >= most || isOver();

function cutTo(most: SimulationBounds, made: SimulationParts, isCut: boolean): EscalationSimulation {
  const pages = made.pages.slice(0, most.pages);
  return { ...made, pages, truncated: isCut || pages.length < made.pages.length };
}

type SimulationParts = {
  -readonly [Part in keyof Omit<EscalationSimulation, 'truncated'>]: EscalationSimulation[Part][number][];
};

type SimulatedTransition =
  | { readonly state: EscalationState; readonly effects: readonly Effects[]; readonly cancels: readonly Cancel[] }
  | undefined;

/** The effect of an event or a due item, at its time; undefined without one. */
export const simulatedTransition = (
  state: EscalationState | undefined,
  next: Next,
  view: RoutingView,
): Steps<SimulatedTransition> =>
  next.event === undefined ? fired(state, next.item, view) : applied(state, next, view);

function* applied(
  state: EscalationState | undefined,
  { at, event }: TimedEvent,
  view: RoutingView,
): Steps<SimulatedTransition> {
  const change = applyEvent(state, event);
  if (change === undefined) return undefined;
  const { state: after, made } = yield* transitionSteps(change, view, at);
  const cancels = change.cancels.filter((each) => each.kind === 'cancel');
  return { state: after, effects: made.map(({ effects }) => effects), cancels };
}

function* fired(state: EscalationState | undefined, item: DueItem, view: RoutingView): Steps<SimulatedTransition> {
  if (state === undefined) return undefined;
  yield;
  const effects = yield* fireDueSteps(state, item, view, item.dueAt);
  yield;
  return { state: applyEffects(state, effects), effects: [effects], cancels: [] };
}

type Next =
  (TimedEvent & { readonly item?: never }) | { readonly at: Date; readonly item: DueItem; readonly event?: never };

/** The events and due items that are still to come. */
export class Agenda {
  #events: readonly TimedEvent[];

  constructor(events: readonly TimedEvent[]) {
    this.#events = events;
  }

  /**
   * Takes the next event or due item: of one instant events first. An event gets a later version where an order of the escalation
   * state led to others before it. A further look-up would find no new recipient.
   */
  next(state: EscalationState | undefined): Next | undefined {
    const event = earliest(this.#events, ({ at }) => at);
    const item = state && dueItems(state).find(({ kind }) => kind !== 'look-up');
    if (event !== undefined && (item === undefined || event.at <= item.dueAt)) {
      this.#events = this.#events.filter((each) => each !== event);
      const version = Math.max(event.event.version, (state?.alertVersion ?? 0) + 1);
      return { ...event, event: { ...event.event, version } };
    }
    return item && { at: item.dueAt, item };
  }

  /** Adds the events that a transition causes. After a close there are no further ones. */
  take(state: EscalationState, { orders }: Effects, at: Date): void {
    const done = orders.flatMap((order) => eventOfOrder(state, order, at) ?? []);
    const closes = done.some(({ event }) => event.state.status !== 'open');
    this.#events = [...done, ...(closes ? [] : this.#events)];
  }
}

function earliest<T>(items: readonly T[], at: (item: T) => Date): T | undefined {
  return items.reduce<T | undefined>(
    (first, item) => (first === undefined || at(item) < at(first) ? item : first),
    undefined,
  );
}

/**
 * The event by which alert-processor says that an order is done; undefined for an order that only users lead to. A
 * reset takes back each acknowledgement, because in a simulation no user acknowledges after it is due.
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
