import type { Clock } from '@tocsin/clock';
import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { decisionsOf, timerStep } from '../../domain/runs/decisions.ts';
import type { DueTimer } from '../../domain/runs/rule-timer.ts';
import { exhaustedTimer } from '../../domain/runs/exhausted.ts';
import type { RoutingView } from '../../domain/runs/routing.ts';
import { newsWithoutRun } from '../../domain/runs/news.ts';
import { manualRequestsOf, mayRun, newRun, observe, supersededAmong } from '../../domain/runs/observe.ts';
import type { Run } from '../../domain/runs/run.ts';
import {
  fireTimer,
  isDue,
  leftOut,
  newsTold,
  settled,
  stepsOf,
  type SettledStep,
} from '../../domain/runs/settle-run.ts';
import type { Snapshots } from '../loaded-snapshot.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';
import { buriedRule } from './buried-decision.ts';
import { FiringTraces, type BeginLater } from './firing-traces.ts';
import { orderCommands } from './order-commands.ts';
import { RoutingViews } from './routing-views.ts';
import { WorkTime } from './work-time.ts';

/** Longer work is not settled together. It is all done again within a transaction, which may last 5 s. */
const LONGEST_MS = 2_000;

/** Says that events take too long to be settled together. */
class TakesTooLong extends Error {}

export interface RunEnginePorts<C extends RuleClaim> {
  readonly store: RunStore<C>;
  readonly snapshots: Snapshots;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly clock: Clock;
  /** Called for each start of a flow that paged somebody or set a timer, with the seconds since the command was accepted. */
  readonly onRouted: (seconds: number) => void;
  /** Called with how many rules, and schedules reached without a rule, found nobody. */
  readonly onNobody: (count: number) => void;
  /** Called with how many flows have done all that they could while nobody acknowledged; each counts once a cycle. */
  readonly onExhausted: (count: number) => void;
  /** Begins the trace of a rule that fires at its time; without it such rules have none. */
  readonly beginLater?: BeginLater | undefined;
}

/**
 * Runs the escalations of alerts: starts and stops them by events, fires each rule once when it is due, and repeats escalations
 * that say so (architecture section 4, step 4; S9).
 */
export class RunEngine<C extends RuleClaim> {
  readonly #ports: RunEnginePorts<C>;
  readonly #views: RoutingViews;

  constructor(ports: RunEnginePorts<C>) {
    this.#ports = ports;
    this.#views = new RoutingViews(ports.snapshots, ports.random);
  }

  /**
   * Answers `retry` while the configuration cannot be read. One batch that takes too long answers `retry` as well: the consumer
   * tries fewer of its events. Several batches that take too long together are `refused`: the consumer then settles each alone.
   *
   * @throws any other error: the consumer classifies it.
   */
  async settleEvents(...batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement> {
    try {
      const now = this.#ports.clock.now();
      const events = batches.flatMap(({ records }) => records.map(({ value }) => value));
      const isSuperseded = supersededAmong(events);
      const view = await this.#viewFor(events, now);
      const changes = new Map<string, EventChange>();
      const settlement = await this.#ports.store.settleEvents(batches, (run, event) => {
        const change = this.#observed(run, { event, isSuperseded: isSuperseded(event) }, view, now);
        if (change !== undefined) changes.set(`${event.alertId}:${event.version}`, change);
        return change;
      });
      if (settlement.outcome === 'done') this.#measure([...changes.values()]);
      return settlement;
    } catch (error) {
      if (error instanceof TakesTooLong && batches.length > 1) return { outcome: 'refused', reason: error.message };
      if (error instanceof UnavailableError || error instanceof TakesTooLong)
        return { outcome: 'retry', reason: error.message };
      throw error;
    }
  }

  /**
   * Fires due rules. A rule that always fails, by a defect, is found by halving the claims. It is skipped, and the log of its
   * alert says so. All others fire.
   *
   * @throws UnavailableError when the configuration or the store cannot be reached; the rules come again.
   */
  async fireRules(claims: readonly C[]): Promise<void> {
    const { clock, store } = this.#ports;
    const now = clock.now();
    const { view, load } = await this.#views.open();
    const runs = await store.find([...new Set(claims.map(({ payload }) => payload.alertId))]);
    const lots: C[][] = [];
    const work = new WorkTime();
    let endsAt = 0;
    for (const claim of claims) {
      const run = runs.get(claim.payload.alertId);
      if (run !== undefined) await load(() => work.measure(() => [fireTimer(run, timerOf(claim), view, now)]));
      const lot = lots.at(-1);
      if (lot !== undefined && work.spentMs <= endsAt) lot.push(claim);
      else {
        lots.push([claim]);
        endsAt = work.spentMs + LONGEST_MS;
      }
      await work.yieldIfDue();
    }
    const traces = new FiringTraces(this.#ports.beginLater, claims, runs);
    try {
      for (const lot of lots) await this.#settleRules(lot, { view, now, traces });
    } finally {
      traces.end();
    }
  }

  async #settleRules(claims: readonly C[], firing: Firing<C>): Promise<void> {
    const { now, traces, view } = firing;
    const { store } = this.#ports;
    const changes = new Map<string, SettledRun>();
    const settlement = await store.settleRules(claims, (before, claim) => {
      const timer = timerOf(claim);
      if (!isDue(before, timer)) return undefined;
      const run = traces.of(before, claim);
      const effects = fireTimer(run, timer, view, now);
      const change = this.#changed(settled(before, effects), [timerStep(run, timer, effects)], now);
      changes.set(claim.id, change);
      return change;
    });
    if (settlement.outcome === 'done') {
      this.#count([...changes.values()]);
      return;
    }
    const [only] = claims;
    if (claims.length === 1 && only !== undefined) {
      await store.buryRule(only, buriedRule(only, settlement.reason, now), (run) => leftOut(run, timerOf(only)));
      return;
    }
    const half = Math.ceil(claims.length / 2);
    await this.#settleRules(claims.slice(0, half), firing);
    await this.#settleRules(claims.slice(half), firing);
  }

  #observed(
    run: Run | undefined,
    { event, isSuperseded }: { readonly event: AlertEvent; readonly isSuperseded: boolean },
    view: RoutingView,
    now: Date,
  ): EventChange | undefined {
    if (!mayRun(event)) return this.#toldOwner(event, view, now);
    const observation = observe(run, event, isSuperseded);
    if (observation.kind === 'stale') return undefined;
    const { run: after, steps } = stepsOf(observation, view, now);
    const named = steps.map((step) => ({
      ...step,
      name: `${step.name === 'start' ? (observation.cycleStart?.version ?? 0) : event.version}:${step.name}`,
    }));
    const change = this.#changed(after, named, now);
    return observation.cycleStart?.how === 'pages' ? { ...change, starts: true } : change;
  }

  /** Keeps nothing of an alert without a run. The same event again makes pages with the same ids. */
  #toldOwner(event: AlertEvent, view: RoutingView, now: Date): EventChange {
    const run = newRun(event);
    const effects = newsTold(run, newsWithoutRun(event), view, now);
    return this.#changed(undefined, [{ name: `${event.version}:told`, run, effects }], now);
  }

  #changed(run: Run | undefined, steps: readonly SettledStep[], at: Date): SettledRun {
    const effects = steps.map((step) => step.effects);
    return {
      at,
      run,
      timers: [
        ...effects.flatMap(({ timers }) => timers),
        ...(run === undefined ? [] : exhaustedTimer(run, effects, at)),
      ],
      pages: effects.flatMap(({ pages }) => pages),
      commands: steps.flatMap(({ run: before, effects: { at: then, orders } }) => orderCommands(before, orders, then)),
      decisions: steps.flatMap(decisionsOf),
      nobody: effects.reduce((sum, { nobody }) => sum + nobody, 0),
      exhausted: effects.filter(({ exhausted }) => exhausted).length,
    };
  }

  /**
   * A snapshot with everybody to whom the events may lead, as far as their owners answer. Each event is tried on the run that
   * the one before it leaves.
   *
   * @throws TakesTooLong when several events take longer than one transaction may last.
   */
  async #viewFor(events: readonly AlertEvent[], now: Date): Promise<RoutingView> {
    const { view, load } = await this.#views.open();
    const work = new WorkTime();
    const isSuperseded = supersededAmong(events);
    const runs = await this.#runsOf(events);
    for (const event of events.filter(mayRun)) {
      const observation = observe(runs.get(event.alertId), event, isSuperseded(event));
      if (observation.kind === 'stale') continue;
      await load(() =>
        work.measure(() => {
          const { run, steps } = stepsOf(observation, view, now);
          runs.set(event.alertId, run);
          return steps.map(({ effects }) => effects);
        }),
      );
      if (events.length > 1 && work.spentMs > LONGEST_MS)
        throw new TakesTooLong('The events take too long to be settled together.');
      await work.yieldIfDue();
    }
    return view;
  }

  /** The runs on which the effects of `events` depend. A start, which most events are, depends on none. */
  async #runsOf(events: readonly AlertEvent[]): Promise<Map<string, Run>> {
    const dependent = events.filter(
      (event) => event.facts.some(({ kind }) => kind === 'reset') || manualRequestsOf(event).length > 0,
    );
    if (dependent.length === 0) return new Map();
    return new Map(await this.#ports.store.find([...new Set(dependent.map(({ alertId }) => alertId))]));
  }

  #measure(changes: readonly EventChange[]): void {
    const now = this.#ports.clock.now().getTime();
    for (const { pages, run, starts, timers } of changes)
      if (starts === true && run !== undefined && pages.length + timers.length > 0)
        this.#ports.onRouted((now - Date.parse(run.acceptedAt)) / 1_000);
    this.#count(changes);
  }

  #count(changes: readonly SettledRun[]): void {
    const nobody = changes.reduce((sum, each) => sum + each.nobody, 0);
    const exhausted = changes.reduce((sum, each) => sum + each.exhausted, 0);
    if (nobody > 0) this.#ports.onNobody(nobody);
    if (exhausted > 0) this.#ports.onExhausted(exhausted);
  }
}

/** What rules that fire together share. */
interface Firing<C extends RuleClaim> {
  readonly view: RoutingView;
  readonly now: Date;
  readonly traces: FiringTraces<C>;
}

/** A change of a run, how many rules found nobody, and how many times nobody was left. */
interface SettledRun extends RunChange {
  readonly nobody: number;
  readonly exhausted: number;
}

/** The change that an event makes. */
interface EventChange extends SettledRun {
  /** Whether a flow begins, whose latency is measured. */
  readonly starts?: true;
}

const timerOf = ({ fence, payload: { branchId, ruleIndex, round = 0 } }: RuleClaim): DueTimer => ({
  branchId,
  ruleIndex,
  round,
  openedBy: fence,
});
