import type { AlertEvent, AlertState, DecisionVerdict, Page, TimedEvent } from '@tocsin/contracts';
import type { Mention } from '../mentions.ts';
import type { AlertOrder, RunEffects } from './effects.ts';
import { dueItems, type DueItem } from './due.ts';
import { applyEvent } from './apply-event.ts';
import type { RoutingView } from './routing.ts';
import type { Run } from './run.ts';
import { fireDue, applyEffects, transitions } from './settle-run.ts';

/** What would become of the run of an alert if nobody did anything. */
export interface RunSimulation {
  readonly pages: readonly Page[];
  readonly verdicts: readonly (DecisionVerdict & { readonly at: Date })[];
  /** The given events, and those that the run itself would lead to, in their order. */
  readonly events: readonly TimedEvent[];
  /** Who was not found. */
  readonly unknown: readonly Mention[];
  /** Whether more would follow. */
  readonly truncated: boolean;
}

/** The limits of one simulation. */
export interface SimulationBounds {
  readonly pages: number;
  readonly events: number;
  readonly verdicts: number;
  /** Of verdicts. */
  readonly bytes: number;
  readonly steps: number;
  readonly until: Date;
  /** Whether its time is used up: this process also pages people. */
  readonly isOver: () => boolean;
}

/**
 * Runs the escalations of one alert through `events`, each rule at its time, with the functions that settle real runs. Nothing is
 * written, and every order of the run is carried out at once (S9).
 */
export function simulateRun(events: readonly TimedEvent[], view: RoutingView, bounds: SimulationBounds): RunSimulation {
  const agenda = new Agenda(events);
  const made: Made = { pages: [], verdicts: [], events: [], unknown: [] };
  let bytes = 0;
  let run: Run | undefined;
  for (let steps = 0; ; steps += 1) {
    const next = agenda.next(run);
    if (next === undefined || bytes > bounds.bytes || isFull(made, bounds))
      return within(bounds, made, next !== undefined);
    if (isBeyond(bounds, next.at, steps)) return within(bounds, made, true);
    if (next.event !== undefined) made.events.push(next);
    const step = next.event === undefined ? fired(run, next.item, view) : applied(run, next, view);
    if (step === undefined) continue;
    run = step.run;
    for (const effects of step.effects) {
      made.pages.push(...effects.pages);
      made.verdicts.push(...effects.verdicts.map((verdict) => ({ ...verdict, at: next.at })));
      made.unknown.push(...effects.unknown);
      bytes += effects.verdictBytes;
      agenda.take(step.run, effects, next.at);
    }
  }
}

/** Events that the run itself leads to count too: the service that is asked next takes no more. */
const isFull = ({ events, pages, verdicts }: Made, most: SimulationBounds): boolean =>
  pages.length > most.pages || events.length >= most.events || verdicts.length > most.verdicts;

const isBeyond = ({ isOver, steps, until }: SimulationBounds, at: Date, taken: number): boolean =>
  at > until || taken >= steps || isOver();

function within(most: SimulationBounds, made: Made, isCut: boolean): RunSimulation {
  const pages = made.pages.slice(0, most.pages);
  return { ...made, pages, truncated: isCut || pages.length < made.pages.length };
}

type Made = { -readonly [Part in keyof Omit<RunSimulation, 'truncated'>]: RunSimulation[Part][number][] };

type Step = { readonly run: Run; readonly effects: readonly RunEffects[] } | undefined;

function applied(run: Run | undefined, { at, event }: TimedEvent, view: RoutingView): Step {
  const change = applyEvent(run, event);
  if (change === undefined) return undefined;
  const { run: after, steps } = transitions(change, view, at);
  return { run: after, effects: steps.map(({ effects }) => effects) };
}

function fired(run: Run | undefined, item: DueItem, view: RoutingView): Step {
  if (run === undefined) return undefined;
  const effects = fireDue(run, item, view, item.dueAt);
  return { run: applyEffects(run, effects), effects: [effects] };
}

type Next =
  (TimedEvent & { readonly item?: never }) | { readonly at: Date; readonly item: DueItem; readonly event?: never };

/** What is still to come. */
class Agenda {
  #events: readonly TimedEvent[];

  constructor(events: readonly TimedEvent[]) {
    this.#events = events;
  }

  /**
   * Takes what comes next: of one instant events first. An event gets a later version where an order of the run led to others
   * before it. A further look-up would find nobody new.
   */
  next(run: Run | undefined): Next | undefined {
    const event = earliest(this.#events, ({ at }) => at);
    const item = run && dueItems(run).find(({ ruleIndex }) => ruleIndex !== 'look-up');
    if (event !== undefined && (item === undefined || event.at <= item.dueAt)) {
      this.#events = this.#events.filter((each) => each !== event);
      const version = Math.max(event.event.version, (run?.alertVersion ?? 0) + 1);
      return { ...event, event: { ...event.event, version } };
    }
    return item && { at: item.dueAt, item };
  }

  /** Adds what a step leads to. After a close nothing else happens to the alert. */
  take(run: Run, { orders }: RunEffects, at: Date): void {
    const done = orders.flatMap((order) => carriedOut(run, order, at) ?? []);
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
 * The event by which the owner of the alert says that an order is done; undefined for an order that only people lead to. A
 * reset changes nothing of an alert that nobody has acknowledged.
 */
function carriedOut(run: Run, { id: factId, what }: AlertOrder, at: Date): TimedEvent | undefined {
  if (what.kind === 'add-responder') return undefined;
  const isClose = what.kind === 'close';
  const state: AlertState = isClose ? { ...run.alert, status: 'closed' } : run.alert;
  const event: AlertEvent = {
    alertId: run.alertId,
    version: run.alertVersion + 1,
    state,
    facts: [{ factId, kind: isClose ? 'closed' : 'reset', actor: 'System', at: at.toISOString() }],
    acceptedAt: run.acceptedAt,
  };
  return { at, event };
}
