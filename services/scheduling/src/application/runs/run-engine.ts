import type { Clock } from '@tocsin/clock';
import type { AlertEvent, ConsumedBatch, Decision, Settlement, TeamState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { RunEffects } from '../../domain/runs/effects.ts';
import { compileRouting, type TeamRouting } from '../../domain/runs/routing.ts';
import type { RoutingView } from '../../domain/runs/routing-view.ts';
import { mayRun, observe, type Run } from '../../domain/runs/run.ts';
import { ruleDue, settled, startRun } from '../../domain/runs/settle-run.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';
import type { KnownWorld, Worlds } from '../known-world.ts';

export interface RunEnginePorts<C extends RuleClaim> {
  readonly store: RunStore<C>;
  readonly worlds: Worlds;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called for each start of a flow that paged somebody or set a timer, with the seconds since its acceptance. */
  readonly onRouted: (seconds: number) => void;
  /** Called for each rule that found nobody. */
  readonly onNobody: () => void;
}

/**
 * Runs the escalations of alerts: starts and stops them as the events say, and fires each rule once when it is due
 * (architecture section 4, step 4; S9).
 */
export class RunEngine<C extends RuleClaim> {
  readonly #ports: RunEnginePorts<C>;
  /** By state: a replica holds one object for each version of a team. */
  readonly #routings = new WeakMap<TeamState, TeamRouting>();

  constructor(ports: RunEnginePorts<C>) {
    this.#ports = ports;
  }

  /** Never throws: while the configuration cannot be read, the batch waits. */
  async settleEvents(batch: ConsumedBatch<AlertEvent>): Promise<Settlement> {
    try {
      const now = this.#ports.clock.now();
      const view = await this.#viewFor(batch, now);
      const changes = new Map<string, RunChange>();
      const settlement = await this.#ports.store.settleEvents(batch, (run, event) => {
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

  /** @throws UnavailableError when the configuration or the store cannot be reached; the rules come again. */
  async fireRules(claims: readonly C[]): Promise<void> {
    const { clock, store, worlds } = this.#ports;
    const now = clock.now();
    const world = await worlds.open();
    const runs = await store.find([...new Set(claims.map(({ payload }) => payload.alertId))]);
    const view = this.#routingView(world);
    for (const { fence, payload } of claims) {
      const run = runs.get(payload.alertId);
      if (run?.epoch === fence)
        await this.#learn(world, () => ruleDue(run, payload.branchId, payload.ruleIndex, view, now));
    }
    const changes = new Map<string, RunChange>();
    await store.settleRules(claims, (run, { id, payload }) => {
      const effects = ruleDue(run, payload.branchId, payload.ruleIndex, view, now);
      const change = changed(run, effects, `${payload.branchId}#${payload.ruleIndex}`);
      changes.set(id, change);
      return change;
    });
    this.#measureNobody([...changes.values()]);
  }

  #observed(run: Run | undefined, event: AlertEvent, view: RoutingView, now: Date): RunChange | undefined {
    const observation = observe(run, event);
    switch (observation.kind) {
      case 'stale':
        return undefined;
      case 'noted':
      case 'stopped':
        return { run: observation.run, timers: [], pages: [], decision: undefined };
      case 'started':
        return changed(observation.run, startRun(observation.run, view, now), 'start');
    }
  }

  /** The world in which everything that the batch may lead through is known, as far as its owners can be asked. */
  async #viewFor(batch: ConsumedBatch<AlertEvent>, now: Date): Promise<RoutingView> {
    const world = await this.#ports.worlds.open();
    const view = this.#routingView(world);
    for (const { value: event } of batch.records) {
      if (!mayRun(event)) continue;
      const observation = observe(undefined, event);
      if (observation.kind === 'started') await this.#learn(world, () => startRun(observation.run, view, now));
    }
    return view;
  }

  /**
   * Asks the owners for what `attempt` met and did not know, until it meets nothing new. An owner that is away is no reason
   * to leave everybody else asleep: what it owns is then skipped, and the log says so.
   */
  async #learn(world: KnownWorld, attempt: () => RunEffects): Promise<void> {
    try {
      while (await world.learn(attempt().unknown));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  #routingView(world: KnownWorld): RoutingView {
    return {
      schedule: (id) => world.schedule(id),
      escalation: (id) => world.escalation(id),
      team: (id) => world.team(id),
      user: (id) => world.user(id),
      forwardings: world.forwardings,
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

  #measure(changes: readonly RunChange[]): void {
    const now = this.#ports.clock.now().getTime();
    for (const { pages, run, timers } of changes)
      if (pages.length + timers.length > 0) this.#ports.onRouted((now - Date.parse(run.acceptedAt)) / 1_000);
    this.#measureNobody(changes);
  }

  #measureNobody(changes: readonly RunChange[]): void {
    const verdicts = changes.flatMap(({ decision }) => decision?.verdicts ?? []);
    for (const { outcome, subject } of verdicts)
      if (subject === 'escalation-rule' && outcome === 'nobody') this.#ports.onNobody();
  }
}

const changed = (run: Run, effects: RunEffects, occasion: string): RunChange => ({
  run: settled(run, effects),
  timers: effects.timers,
  pages: effects.pages,
  decision: decisionOf(run, effects, occasion),
});

function decisionOf(run: Run, effects: RunEffects, occasion: string): Decision | undefined {
  if (effects.verdicts.length === 0) return undefined;
  return {
    decisionId: `route:${run.alertId}:${run.cycle}:${run.epoch}:${occasion}`,
    alertId: run.alertId,
    stage: 'route',
    at: effects.at.toISOString(),
    verdicts: effects.verdicts,
  };
}
