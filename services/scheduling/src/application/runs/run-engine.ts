import type { Clock } from '@tocsin/clock';
import type { AlertEvent, ConsumedBatch, Decision, Settlement, TeamState } from '@tocsin/contracts';
import { isDefect, UnavailableError } from '@tocsin/errors';
import type { Mention } from '../../domain/mentions.ts';
import type { RunEffects } from '../../domain/runs/effects.ts';
import { compileRouting, type TeamRouting } from '../../domain/runs/routing.ts';
import type { RoutingView } from '../../domain/runs/routing.ts';
import { manualRequestsOf, mayRun, observe } from '../../domain/runs/observe.ts';
import type { Run } from '../../domain/runs/run.ts';
import { stepsOf, isDue, settled, fireTimer, type DueRuleTimer } from '../../domain/runs/settle-run.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';
import type { LoadedSnapshot, Snapshots } from '../loaded-snapshot.ts';
import { buriedRule } from './buried-decision.ts';
import { orderCommands } from './order-commands.ts';

export interface RunEnginePorts<C extends RuleClaim> {
  readonly store: RunStore<C>;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called for each start of a flow that paged somebody or set a timer, with the seconds since the command was accepted. */
  readonly onRouted: (seconds: number) => void;
  /** Called for each rule, and each schedule reached without a rule, that found nobody. */
  readonly onNobody: () => void;
}

/**
 * Runs the escalations of alerts: starts and stops them by events, fires each rule once when it is due, and repeats escalations
 * that say so (architecture section 4, step 4; S9).
 */
export class RunEngine<C extends RuleClaim> {
  readonly #ports: RunEnginePorts<C>;
  /** By team state: a replica holds one object for each version of a team. */
  readonly #routings = new WeakMap<TeamState, TeamRouting>();

  constructor(ports: RunEnginePorts<C>) {
    this.#ports = ports;
  }

  /** Answers `retry` while the configuration cannot be read. @throws any other error: the consumer classifies it. */
  async settleEvents(...batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement> {
    try {
      const now = this.#ports.clock.now();
      const events = batches.flatMap(({ records }) => records.map(({ value }) => value));
      const view = await this.#viewFor(events, now);
      const changes = new Map<string, EventChange>();
      const settlement = await this.#ports.store.settleEvents(batches, (run, event) => {
        const change = this.#observed(run, event, view, now);
        if (change !== undefined) changes.set(`${event.alertId}:${event.version}`, change);
        return change;
      });
      if (settlement.outcome === 'done') this.#measure([...changes.values()]);
      return settlement;
    } catch (error) {
      if (error instanceof UnavailableError) return { outcome: 'retry', reason: error.message };
      throw error;
    }
  }

  /**
   * A rule that fails for ever by a defect is isolated by halving, skipped and logged with its alert; all others fire.
   *
   * @throws UnavailableError when the configuration or the store cannot be reached; the rules come again.
   */
  async fireRules(claims: readonly C[]): Promise<void> {
    const { clock, store, snapshots } = this.#ports;
    const now = clock.now();
    const snapshot = await snapshots.open();
    const runs = await store.find([...new Set(claims.map(({ payload }) => payload.alertId))]);
    const view = this.#routingView(snapshot);
    for (const claim of claims) {
      const run = runs.get(claim.payload.alertId);
      if (run !== undefined) await this.#load(snapshot, () => fireTimer(run, timerOf(claim), view, now).unknown);
    }
    await this.#settleRules(claims, view, now);
  }

  async #settleRules(claims: readonly C[], view: RoutingView, now: Date): Promise<void> {
    const { store } = this.#ports;
    const changes = new Map<string, SettledRun>();
    const settlement = await store.settleRules(claims, (run, claim) => {
      const timer = timerOf(claim);
      if (!isDue(run, timer)) return undefined;
      const effects = fireTimer(run, timer, view, now);
      const { branchId, openedBy, round, ruleIndex } = timer;
      const occasion = `${openedBy}:${branchId}#${ruleIndex}${round === 0 ? '' : `~${round}`}`;
      const change = this.#changed(settled(run, effects), [{ run, effects, occasion }], now);
      changes.set(claim.id, change);
      return change;
    });
    if (settlement.outcome === 'done') {
      this.#measureNobody([...changes.values()]);
      return;
    }
    const [only] = claims;
    if (claims.length === 1 && only !== undefined) {
      await store.buryRule(only, buriedRule(only, settlement.reason, now));
      return;
    }
    const half = Math.ceil(claims.length / 2);
    await this.#settleRules(claims.slice(0, half), view, now);
    await this.#settleRules(claims.slice(half), view, now);
  }

  #observed(run: Run | undefined, event: AlertEvent, view: RoutingView, now: Date): EventChange | undefined {
    const observation = observe(run, event);
    if (observation.kind === 'stale') return undefined;
    const { run: after, steps } = stepsOf(observation, view, now);
    const occasions = steps.map(({ run: before, what, effects }) => ({
      run: before,
      effects,
      occasion: what === 'start' ? `${observation.cycleStart?.version ?? 0}:start` : `${event.version}:${what}`,
    }));
    const change = this.#changed(after, occasions, now);
    return observation.cycleStart?.how === 'pages' ? { ...change, starts: true } : change;
  }

  #changed(run: Run, occasions: readonly Occasion[], at: Date): SettledRun {
    return {
      at,
      run,
      timers: occasions.flatMap(({ effects }) => effects.timers),
      pages: occasions.flatMap(({ effects }) => effects.pages),
      commands: occasions.flatMap(({ run: before, effects }) => orderCommands(before, effects.orders, effects.at)),
      decisions: occasions.flatMap(decisionsOf),
      nobody: occasions.reduce((sum, { effects }) => sum + effects.nobody, 0),
    };
  }

  /** A snapshot with everything that the events may lead to, as far as its owners answer. */
  async #viewFor(events: readonly AlertEvent[], now: Date): Promise<RoutingView> {
    const snapshot = await this.#ports.snapshots.open();
    const view = this.#routingView(snapshot);
    const load = async (run: Run | undefined, event: AlertEvent): Promise<void> => {
      const observation = observe(run, event);
      if (observation.kind === 'stale') return;
      await this.#load(snapshot, () => stepsOf(observation, view, now).steps.flatMap(({ effects }) => effects.unknown));
    };
    for (const event of events) if (mayRun(event)) await load(undefined, event);
    const telling = events.filter(
      (event) => event.facts.some(({ kind }) => kind === 'reset') || manualRequestsOf(event).length > 0,
    );
    if (telling.length === 0) return view;
    const runs = await this.#ports.store.find(telling.map(({ alertId }) => alertId));
    for (const event of telling) await load(runs.get(event.alertId), event);
    return view;
  }

  /**
   * Loads what `attempt` did not find, until it misses nothing new. An owner that is away must not keep others from being
   * paged: its users and teams are looked up again later. A defect is thrown again where it is classified.
   */
  async #load(snapshot: LoadedSnapshot, attempt: () => readonly Mention[]): Promise<void> {
    try {
      while (await snapshot.loadFromThoseWhoAnswer(attempt()));
    } catch (error) {
      if (!isDefect(error)) throw error;
    }
  }

  #routingView(snapshot: LoadedSnapshot): RoutingView {
    return {
      schedule: (id) => snapshot.schedule(id),
      escalation: (id) => snapshot.escalation(id),
      team: (id) => snapshot.team(id),
      user: (id) => snapshot.user(id),
      forwardings: snapshot.forwardings,
      isUnanswered: (mention) => snapshot.isUnanswered(mention),
      routing: (team) => this.#routing(team),
      pick: (items) => items[Math.floor(this.#ports.random() * items.length)],
    };
  }

  #routing(team: TeamState): TeamRouting {
    const known = this.#routings.get(team);
    if (known !== undefined) return known;
    const compiled = compileRouting(team);
    this.#routings.set(team, compiled);
    return compiled;
  }

  #measure(changes: readonly EventChange[]): void {
    const now = this.#ports.clock.now().getTime();
    for (const { pages, run, starts, timers } of changes)
      if (starts === true && pages.length + timers.length > 0)
        this.#ports.onRouted((now - Date.parse(run.acceptedAt)) / 1_000);
    this.#measureNobody(changes);
  }

  #measureNobody(changes: readonly SettledRun[]): void {
    const nobody = changes.reduce((sum, each) => sum + each.nobody, 0);
    for (let count = 0; count < nobody; count += 1) this.#ports.onNobody();
  }
}

/** A change of a run, and how many rules found nobody. */
interface SettledRun extends RunChange {
  readonly nobody: number;
}

/** The change that an event makes. */
interface EventChange extends SettledRun {
  /** Whether a flow begins, whose latency is measured. */
  readonly starts?: true;
}

const timerOf = ({ fence, payload: { branchId, ruleIndex, round = 0 } }: RuleClaim): DueRuleTimer => ({
  branchId,
  ruleIndex,
  round,
  openedBy: fence,
});

/** One step of a settlement: its effects, the run before it, and the name of its decision. */
interface Occasion {
  readonly run: Run;
  readonly effects: RunEffects;
  readonly occasion: string;
}

function decisionsOf({ run, effects, occasion }: Occasion): readonly Decision[] {
  if (effects.verdicts.length === 0) return [];
  return [
    {
      decisionId: `route:${run.alertId}:${run.cycle}:${occasion}`,
      alertId: run.alertId,
      stage: 'route',
      at: effects.at.toISOString(),
      verdicts: effects.verdicts,
    },
  ];
}
