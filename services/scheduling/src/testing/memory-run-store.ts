import type {
  AlertCommand,
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  Decision,
  Page,
  Settlement,
} from '@tocsin/contracts';
import { timerId, type RuleTimer } from '../domain/runs/rule-timer.ts';
import { mayPage } from '../domain/runs/observe.ts';
import { changesOf, type Run } from '../domain/runs/run.ts';
import type { RuleClaim, RulesSettled, RunChange, RunStore } from '../ports/run-store.ts';
import { toTimer } from '../storage/runs/documents.ts';

const DONE: Settlement = { outcome: 'done' };

/** Keeps runs in memory, for component tests. */
export class MemoryRunStore implements RunStore<RuleClaim> {
  readonly pages: Page[] = [];
  readonly commands: AlertCommand[] = [];
  readonly decisions: Decision[] = [];
  /** By id. */
  readonly timers = new Map<string, RuleTimer>();
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

  buryRule({ id, payload }: RuleClaim, decision: Decision, leaveOut: (run: Run) => Run): Promise<void> {
    this.timers.delete(id);
    const before = this.#runs.get(payload.alertId);
    const after = before && leaveOut(before);
    const run = after === before ? undefined : after;
    this.#write({ at: new Date(decision.at), run, timers: [], pages: [], commands: [], decisions: [decision] });
    return Promise.resolve();
  }

  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    return Promise.resolve(new Map([...this.#runs].filter(([alertId]) => alertIds.includes(alertId))));
  }

  settleRules(
    claims: readonly RuleClaim[],
    decide: (run: Run, claim: RuleClaim) => RunChange | undefined,
  ): Promise<RulesSettled> {
    const kept = claims.flatMap(({ id }) => [...this.timers].filter(([key]) => key === id));
    for (const { id } of claims) this.timers.delete(id);
    const settled = this.#written(
      claims,
      ({ payload }) => payload.alertId,
      (run, claim) => run && decide(run, claim),
    );
    if (settled.outcome === 'refused') for (const [id, timer] of kept) this.timers.set(id, timer);
    return Promise.resolve(settled);
  }

  removeEnded(until: Date): Promise<number> {
    const old = [...this.#runs.values()].filter(
      ({ alert, alertId }) => alert.status !== 'open' && (this.#changedAt.get(alertId) ?? until) <= until,
    );
    for (const { alertId } of old) this.#runs.delete(alertId);
    return Promise.resolve(old.length);
  }

  /** The claims that a timer would hand out at `at`. */
  claimsAt(at: Date): readonly RuleClaim[] {
    return [...this.timers]
      .filter(([, { dueAt }]) => dueAt <= at)
      .sort(([, a], [, b]) => a.dueAt.getTime() - b.dueAt.getTime())
      .map(([, timer]) => toTimer(timer));
  }

  /** All of it or, where one fails, nothing. */
  #written<T>(
    all: readonly T[],
    alertOf: (one: T) => string,
    decide: (run: Run | undefined, one: T) => RunChange | undefined,
  ): RulesSettled {
    let changes: readonly RunChange[];
    try {
      changes = changesOf(all, this.#runs, alertOf, decide);
    } catch (error) {
      return { outcome: 'refused', reason: String(error) };
    }
    for (const change of changes) this.#write(change);
    return { outcome: 'done' };
  }

  #write({ at, run, timers, pages, commands, decisions }: RunChange): void {
    if (run !== undefined) {
      this.#runs.set(run.alertId, run);
      this.#changedAt.set(run.alertId, at);
    }
    this.pages.push(...pages);
    this.commands.push(...commands);
    this.decisions.push(...decisions);
    for (const timer of timers) this.timers.set(timerId(timer), timer);
  }
}
