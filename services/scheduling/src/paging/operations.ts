import type { Clock } from '@tocsin/core';
import type { AlertEvent } from '@tocsin/events';
import { TooMuchTogetherError } from '@tocsin/kafka';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { applyEvent, hasResponders, manualRequestsOf, supersededAmong } from './apply-event.ts';
import type { EventChange, EventContext } from './decide.ts';
import { deadLetterDecision, skippedItemDecision } from './decisions.ts';
import { dueItems, nextDueAt } from './due.ts';
import { DueEscalations } from './due-operations.ts';
import type { EscalationState } from './escalation-state.ts';
import type { BeginTrace } from './firing-traces.ts';
import type { RoutingView } from './routing.ts';
import { changeWithoutPages, type StateChange } from './state-change.ts';
import { computeTransitions, withoutDueItem } from './transitions.ts';
import { RoutingViews } from './view-operations.ts';
import { MAX_WORK_MS, WorkTime } from './work-time-operations.ts';

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
 * Prepares what two transactions need that change escalation states: that of events, about which `decideEvents` decides, and that of
 * due items, which {@link DueEscalations} does. Measures the committed changes (architecture section 4, step 4; S9).
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
    for (const { pages, state, startsFlow } of changes)
      if (startsFlow === true && state !== undefined && (pages.length > 0 || nextDueAt(state) !== undefined))
        this.#options.onRouted((now - Date.parse(state.acceptedAt)) / 1_000);
    this.#count(changes);
  }

  /** The log entry of an event that fails each time. */
  failedEvent(event: AlertEvent, reason: string): StateChange {
    const at = this.#options.clock.now();
    return changeWithoutPages(undefined, [deadLetterDecision(event, reason, at)], at);
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
    if (item === undefined) return changeWithoutPages(state, [], now);
    return changeWithoutPages(
      withoutDueItem(state, item),
      [skippedItemDecision(state.alertId, item, reason, now)],
      now,
    );
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
          const { state, transitions } = computeTransitions(applied, view, now);
          states.set(event.alertId, state);
          return transitions.map(({ effects }) => effects);
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
