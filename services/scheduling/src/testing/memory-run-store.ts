import type {
  AlertCommand,
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  Decision,
  Page,
  Settlement,
} from '@tocsin/contracts';
import type { DueRuns } from '../application/runs/due-runs.ts';
import type { RunEngine } from '../application/runs/run-engine.ts';
import { nextDueAt } from '../domain/runs/due.ts';
import { mayPage } from '../domain/runs/apply-event.ts';
import { changesOf, type Run } from '../domain/runs/run.ts';
import type { RunChange, RunStore } from '../ports/run-store.ts';

const DONE: Settlement = { outcome: 'done' };

/** Keeps runs in memory, for component tests. */
export class MemoryRunStore implements RunStore {
  readonly pages: Page[] = [];
  readonly commands: AlertCommand[] = [];
  readonly decisions: Decision[] = [];
  readonly #runs = new Map<string, Run>();
  /** By alert: when each run was changed last. */
  readonly #changedAt = new Map<string, Date>();

  settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement> {
    const events = batches.flatMap(({ records }) => records.map(({ value }) => value)).filter(mayPage);
    return Promise.resolve(this.#written(events, ({ alertId }) => alertId, decide));
  }

  bury(_: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    if (decision !== undefined) this.decisions.push(decision);
    return Promise.resolve(DONE);
  }

  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    return Promise.resolve(new Map([...this.#runs].filter(([alertId]) => alertIds.includes(alertId))));
  }

  removeEnded(until: Date): Promise<number> {
    const old = [...this.#runs.values()].filter(
      ({ alert, alertId }) => alert.status !== 'open' && (this.#changedAt.get(alertId) ?? until) <= until,
    );
    for (const { alertId } of old) this.#runs.delete(alertId);
    return Promise.resolve(old.length);
  }

  /** The runs of which something is due at `now`, the longest due first. */
  findDue(now: Date): readonly Run[] {
    const instantOf = (run: Run): number => nextDueAt(run)?.getTime() ?? Infinity;
    return [...this.#runs.values()]
      .filter((run) => instantOf(run) <= now.getTime())
      .sort((a, b) => instantOf(a) - instantOf(b));
  }

  /** Does what is due at `now`, each run in a transaction of its own. */
  async processDue(engine: RunEngine, now: Date): Promise<void> {
    for (let due = this.findDue(now); due.length > 0; due = this.findDue(now)) {
      const runs = await engine.prepareDue(due, now);
      for (const { alertId } of due) await this.#processOne(alertId, engine, runs, now);
      runs.end();
    }
  }

  /** Does as much as can be done of one run. */
  async #processOne(alertId: string, engine: RunEngine, runs: DueRuns, now: Date): Promise<void> {
    const run = this.#runs.get(alertId);
    if (run === undefined) return;
    for (const isCareful of [false, true])
      try {
        const changes = await runs.process([run], { isCareful });
        for (const change of changes) this.#write(change);
        runs.committed(changes);
        return;
      } catch (error) {
        if (isCareful) this.#write(engine.leaveOut(run, String(error), now));
      }
  }

  /** All of it or, where one fails, nothing. */
  #written<T>(
    all: readonly T[],
    alertOf: (one: T) => string,
    decide: (run: Run | undefined, one: T) => RunChange | undefined,
  ): Settlement {
    let changes: readonly RunChange[];
    try {
      changes = changesOf(all, this.#runs, alertOf, decide);
    } catch (error) {
      return { outcome: 'refused', reason: String(error) };
    }
    for (const change of changes) this.#write(change);
    return { outcome: 'done' };
  }

  #write({ at, run, pages, commands, decisions }: RunChange): void {
    if (run !== undefined) {
      this.#runs.set(run.alertId, run);
      this.#changedAt.set(run.alertId, at);
    }
    this.pages.push(...pages);
    this.commands.push(...commands);
    this.decisions.push(...decisions);
  }
}
