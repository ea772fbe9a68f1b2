import type { Clock } from '@tocsin/core';
import type { AlertEvent } from '@tocsin/events';
import { TooMuchTogetherError } from '@tocsin/kafka';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { applyEvent, hasResponders, manualRequestsOf, supersededAmong } from './apply-event.ts';
import type { EventChange, EventContext } from './decide.ts';
import { deadLetterDecision, dueTransition, skippedItemDecision } from './decisions.ts';
import { dueItems, nextDueAt } from './due.ts';
import type { EscalationState } from './escalation-state.ts';
import type { RoutingView } from './routing.ts';
import { combineTransitions, silentChange, type StateChange } from './state-change.ts';
import { applyEffects, fireDue, type Transition, transitions, withoutDueItem } from './transitions.ts';
import { MAX_WORK_MS, type OpenView, RoutingViews, WorkTime } from './view-operations.ts';

export interface EscalationEngineOptions {
  /** Reads the escalation states of alerts, outside any transaction. */
  readonly findStates: (alertIds: readonly string[]) => Promise<ReadonlyMap<string, EscalationState>>;
  readonly snapshots: Snapshots;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly clock: Clock;
  /** Called for each start of a flow that pages a user or has something due later, with the seconds since the command was accepted. */
  readonly onRouted: (seconds: number) => void;
  /** Called with how many rules, and schedules reached without a rule, found no recipient. */
  readonly onNoRecipient: (count: number) => void;
  /** Called with how many flows are exhausted: they have done everything, and no user has acknowledged. Each counts once a cycle. */
  readonly onExhausted: (count: number) => void;
  /** Begins the trace of a rule that fires at its time; without it such rules have none. */
  readonly beginTrace?: BeginTrace | undefined;
}

/**
 * Prepares the escalations of alerts for changes by events and by due items, and measures the committed changes. `decideEvents` and
 * {@link DueEscalations} decide about the changes (architecture section 4, step 4; S9).
 */
export class EscalationEngine {
  readonly #options: EscalationEngineOptions;
  readonly #views: RoutingViews;

  constructor(options: EscalationEngineOptions) {
    this.#options = options;
    this.#views = new RoutingViews(options.snapshots, options.random);
  }

  /**
   * Prepares to apply events: the configuration of one instant, with the users to whom the events may lead, as far as their owners
   * answer.
   *
   * @throws UnavailableError while the configuration cannot be read.
   * @throws TooMuchTogetherError when several events take longer than one transaction may last.
   */
  async prepareEvents(events: readonly AlertEvent[]): Promise<EventContext> {
    const now = this.#options.clock.now();
    const isSuperseded = supersededAmong(events);
    return { now, isSuperseded, view: await this.#viewFor(events, isSuperseded, now) };
  }

  /** Measures changes that are committed. */
  committed(changes: readonly EventChange[]): void {
    const now = this.#options.clock.now().getTime();
    for (const { pages, state, starts } of changes)
      if (starts === true && state !== undefined && (pages.length > 0 || nextDueAt(state) !== undefined))
        this.#options.onRouted((now - Date.parse(state.acceptedAt)) / 1_000);
    this.#count(changes);
  }

  /** The log entry of an event that fails each time. */
  failedEvent(event: AlertEvent, reason: string): StateChange {
    const at = this.#options.clock.now();
    return silentChange(undefined, [deadLetterDecision(event, reason, at)], at);
  }

  /**
   * Prepares to do the due items of `states` at `now`.
   *
   * @throws UnavailableError when the configuration cannot be read.
   */
  async prepareDue(states: readonly EscalationState[], now: Date): Promise<DueEscalations> {
    const { beginTrace } = this.#options;
    const onCommitted = (changes: readonly StateChange[]): void => {
      this.#count(changes);
    };
    const due = new DueEscalations({ ...(await this.#views.open()), now, beginTrace, onCommitted });
    await due.prepare(states);
    return due;
  }

  /** Skips the first due item of an escalation state, because it fails each time. The log of the alert says so (S9). */
  skipFirstDue(state: EscalationState, reason: string, now: Date): StateChange {
    const [item] = dueItems(state);
    if (item === undefined) return silentChange(state, [], now);
    return silentChange(withoutDueItem(state, item), [skippedItemDecision(state.alertId, item, reason, now)], now);
  }

  /**
   * A snapshot with all users to whom the events may lead, as far as their owners answer. Each event is tried on the escalation state that
   * the one before it leaves.
   *
   * @throws TooMuchTogetherError when several events take longer than one transaction may last.
   */
  async #viewFor(
    events: readonly AlertEvent[],
    isSuperseded: EventContext['isSuperseded'],
    now: Date,
  ): Promise<RoutingView> {
    const { view, load } = await this.#views.open();
    const work = new WorkTime();
    const states = await this.#statesOf(events);
    for (const event of events.filter(hasResponders)) {
      const applied = applyEvent(states.get(event.alertId), event, isSuperseded(event));
      if (applied === undefined) continue;
      await load(() =>
        work.measure(() => {
          const { state, made } = transitions(applied, view, now);
          states.set(event.alertId, state);
          return made.map(({ effects }) => effects);
        }),
      );
      if (events.length > 1 && work.spentMs > MAX_WORK_MS)
        throw new TooMuchTogetherError('The events take too long to be processed together.');
      await work.yieldIfDue();
    }
    return view;
  }

  /**
   * The escalation states that the preparation of `events` needs. All other events are prepared as if they were the first of their
   * alert, which loads at least as many users.
   */
  async #statesOf(events: readonly AlertEvent[]): Promise<Map<string, EscalationState>> {
    const dependent = events.filter(
      (event) => event.facts.some(({ kind }) => kind === 'reset') || manualRequestsOf(event).length > 0,
    );
    if (dependent.length === 0) return new Map();
    return new Map(await this.#options.findStates([...new Set(dependent.map(({ alertId }) => alertId))]));
  }

  #count(changes: readonly StateChange[]): void {
    const withoutRecipient = changes.reduce((sum, each) => sum + each.withoutRecipient, 0);
    const exhausted = changes.reduce((sum, each) => sum + each.exhausted, 0);
    if (withoutRecipient > 0) this.#options.onNoRecipient(withoutRecipient);
    if (exhausted > 0) this.#options.onExhausted(exhausted);
  }
}

/** Options of {@link DueEscalations}. */
export interface DueEscalationsOptions {
  readonly view: OpenView['view'];
  readonly load: OpenView['load'];
  readonly now: Date;
  readonly beginTrace: BeginTrace | undefined;
  /** Called with the committed changes. */
  readonly onCommitted: (changes: readonly StateChange[]) => void;
}

/** Does the due items of escalation states at one instant, all of them with the configuration of one instant. */
export class DueEscalations {
  readonly #options: DueEscalationsOptions;
  readonly #traces: FiringTraces;
  readonly #prepared = new Set<string>();

  constructor(options: DueEscalationsOptions) {
    this.#options = options;
    this.#traces = new FiringTraces(options.beginTrace);
  }

  /**
   * Loads the users to whom the due items lead, as far as directory answers. States for which the time of one transaction does not suffice
   * stay due.
   */
  async prepare(states: readonly EscalationState[]): Promise<void> {
    const { load } = this.#options;
    const work = new WorkTime();
    for (const state of states) {
      if (work.spentMs > MAX_WORK_MS) return;
      this.#prepared.add(state.alertId);
      await this.#processOne(state, { work, attempt: load });
    }
  }

  /** The changes by the due items of the prepared states. With `isCareful`, of only the first due item of each. */
  async process(
    states: readonly EscalationState[],
    { isCareful }: { readonly isCareful: boolean },
  ): Promise<readonly StateChange[]> {
    const { now } = this.#options;
    const work = new WorkTime();
    const changes: StateChange[] = [];
    for (const state of states.filter(({ alertId }) => this.#prepared.has(alertId))) {
      if (changes.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const most = isCareful ? 1 : Infinity;
      const { after, made } = await this.#processOne(state, { work, attempt: once, most, traces: this.#traces });
      changes.push(combineTransitions(after, made, now));
    }
    return changes;
  }

  committed(changes: readonly StateChange[]): void {
    this.#options.onCommitted(changes);
  }

  end(): void {
    this.#traces.end();
  }

  /** Does the due items of an escalation state in their order, each on the state that the one before left, until the time of a transaction is over. */
  async #processOne(state: EscalationState, { work, attempt, most = Infinity, traces }: Options): Promise<Processed> {
    const { now, view } = this.#options;
    const made: Transition[] = [];
    let after = state;
    for (const item of dueItems(state)) {
      if (item.dueAt > now || made.length >= most) break;
      if (made.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const before = traces?.of(after) ?? after;
      const tried: Transition[] = [];
      await attempt(() =>
        work.measure(() => {
          const effects = fireDue(before, item, view, now);
          tried.push(dueTransition(before, item, effects));
          return [effects];
        }),
      );
      const transition = tried.at(-1);
      if (transition === undefined) break;
      made.push(transition);
      after = applyEffects(after, transition.effects);
      await work.yieldIfDue();
    }
    return { after, made };
  }
}

interface Options {
  readonly work: WorkTime;
  /** Tries one transition, and again after it has loaded the users and teams that the transition did not find. */
  readonly attempt: OpenView['load'];
  /** The most transitions. */
  readonly most?: number;
  readonly traces?: FiringTraces;
}

interface Processed {
  readonly after: EscalationState;
  readonly made: readonly Transition[];
}

const once: OpenView['load'] = async (attempt) => {
  await attempt();
};

/** The trace of rules that fire at their time. */
interface FiringTrace {
  /** The `traceparent` of its effects. */
  readonly trace: string;
  end(): void;
}

/** Begins a trace for `alertId` that is linked to the trace `linkedTo`; undefined where it is not sampled. */
export type BeginTrace = (name: string, linkedTo: string, alertId: string) => FiringTrace | undefined;

/** The traces of escalation states with due items: each is linked to the trace of its state, which may have ended long ago. */
export class FiringTraces {
  readonly #begin: BeginTrace | undefined;
  /** By alert; undefined where it is not sampled. */
  readonly #traces = new Map<string, FiringTrace | undefined>();

  /** Nothing is traced without `begin`. */
  constructor(begin: BeginTrace | undefined) {
    this.#begin = begin;
  }

  /** The escalation state with the trace of its present transition, to which its pages belong. */
  of(state: EscalationState): EscalationState {
    const { alertId, trace } = state;
    if (this.#begin === undefined || trace === undefined) return state;
    if (!this.#traces.has(alertId)) this.#traces.set(alertId, this.#begin('fire rule', trace, alertId));
    const begun = this.#traces.get(alertId);
    return begun === undefined ? state : { ...state, trace: begun.trace };
  }

  end(): void {
    for (const begun of this.#traces.values()) begun?.end();
    this.#traces.clear();
  }
}
