import type { Clock } from '@tocsin/clock';
import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { dueItems, nextDueAt } from '../../domain/runs/due.ts';
import type { RoutingView } from '../../domain/runs/routing.ts';
import { newsWithoutRun } from '../../domain/runs/news.ts';
import { applyEvent, manualRequestsOf, mayRun, newRun, supersededAmong } from '../../domain/runs/apply-event.ts';
import type { Run } from '../../domain/runs/run.ts';
import { leftOut, newsTold, transitions } from '../../domain/runs/settle-run.ts';
import type { Snapshots } from '../loaded-snapshot.ts';
import type { RunChange, RunStore } from '../../ports/run-store.ts';
import { leftOutDecision } from './buried-decision.ts';
import { DueRuns } from './due-runs.ts';
import type { BeginLater } from './firing-traces.ts';
import { RoutingViews } from './routing-views.ts';
import { settledRun, type SettledRun } from './settled-run.ts';
import { MAX_WORK_MS, WorkTime } from './work-time.ts';

/** Events take too long to be settled together. */
class TakesTooLong extends Error {}

export interface RunEnginePorts {
  readonly store: RunStore;
  readonly snapshots: Snapshots;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly clock: Clock;
  /** Called for each start of a flow that pages a user or has something due later, with the seconds since the command was accepted. */
  readonly onRouted: (seconds: number) => void;
  /** Called with how many rules, and schedules reached without a rule, found no recipient. */
  readonly onNobody: (count: number) => void;
  /** Called with how many flows are exhausted: they have done everything, and no user has acknowledged. Each counts once a cycle. */
  readonly onExhausted: (count: number) => void;
  /** Begins the trace of a rule that fires at its time; without it such rules have none. */
  readonly beginLater?: BeginLater | undefined;
}

/**
 * Runs the escalations of alerts: starts and stops them by events, fires each rule once when it is due, and repeats escalations
 * that say so (architecture section 4, step 4; S9).
 */
export class RunEngine {
  readonly #ports: RunEnginePorts;
  readonly #views: RoutingViews;

  constructor(ports: RunEnginePorts) {
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
      const view = await this.#viewFor(events, isSuperseded, now);
      const changes = new Map<string, EventChange>();
      const settlement = await this.#ports.store.settleEvents(batches, (run, event) => {
        const change = this.#applied(run, { event, isSuperseded: isSuperseded(event) }, view, now);
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
   * Prepares to do what is due of `runs` at `now`.
   *
   * @throws UnavailableError when the configuration cannot be read.
   */
  async prepareDue(runs: readonly Run[], now: Date): Promise<DueRuns> {
    const { beginLater } = this.#ports;
    const onCommitted = (changes: readonly SettledRun[]): void => {
      this.#count(changes);
    };
    const due = new DueRuns({ ...(await this.#views.open()), now, beginLater, onCommitted });
    await due.prepare(runs);
    return due;
  }

  /** Leaves out what is due first of a run, because it fails each time. The log of the alert says so (S9). */
  leaveOut(run: Run, reason: string, now: Date): RunChange {
    const change = { at: now, pages: [], commands: [] };
    const [item] = dueItems(run);
    if (item === undefined) return { ...change, run, decisions: [] };
    return { ...change, run: leftOut(run, item), decisions: [leftOutDecision(run.alertId, item, reason, now)] };
  }

  #applied(
    run: Run | undefined,
    { event, isSuperseded }: { readonly event: AlertEvent; readonly isSuperseded: boolean },
    view: RoutingView,
    now: Date,
  ): EventChange | undefined {
    if (!mayRun(event)) return this.#toldOwner(event, view, now);
    const applied = applyEvent(run, event, isSuperseded);
    if (applied === undefined) return undefined;
    const { run: after, steps } = transitions(applied, view, now);
    const named = steps.map((step) => ({ ...step, name: `${event.version}:${step.name}` }));
    const change = settledRun(after, named, now);
    return applied.cycleStart?.how === 'pages' ? { ...change, starts: true } : change;
  }

  /** Pages the new owner of an alert that has no run, and keeps nothing. The same event again makes pages with the same ids. */
  #toldOwner(event: AlertEvent, view: RoutingView, now: Date): EventChange {
    const run = newRun(event);
    const effects = newsTold(run, newsWithoutRun(event), view, now);
    return settledRun(undefined, [{ name: `${event.version}:told`, run, effects }], now);
  }

  /**
   * A snapshot with all users to whom the events may lead, as far as their owners answer. Each event is tried on the run that
   * the one before it leaves.
   *
   * @throws TakesTooLong when several events take longer than one transaction may last.
   */
  async #viewFor(events: readonly AlertEvent[], isSuperseded: IsSuperseded, now: Date): Promise<RoutingView> {
    const { view, load } = await this.#views.open();
    const work = new WorkTime();
    const runs = await this.#runsOf(events);
    for (const event of events.filter(mayRun)) {
      const applied = applyEvent(runs.get(event.alertId), event, isSuperseded(event));
      if (applied === undefined) continue;
      await load(() =>
        work.measure(() => {
          const { run, steps } = transitions(applied, view, now);
          runs.set(event.alertId, run);
          return steps.map(({ effects }) => effects);
        }),
      );
      if (events.length > 1 && work.spentMs > MAX_WORK_MS)
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
    for (const { pages, run, starts } of changes)
      if (starts === true && run !== undefined && (pages.length > 0 || nextDueAt(run) !== undefined))
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

type IsSuperseded = ReturnType<typeof supersededAmong>;

/** The change that an event makes. */
interface EventChange extends SettledRun {
  /** Whether a flow starts, whose latency is measured. */
  readonly starts?: true;
}
