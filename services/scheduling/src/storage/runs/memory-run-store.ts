import type { AlertCommand, AlertEvent, ConsumedBatch, Decision, Page, Settlement } from '@tocsin/contracts';
import type { RuleTimer } from '../../domain/runs/effects.ts';
import { mayRun } from '../../domain/runs/observe.ts';
import type { Run } from '../../domain/runs/run.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';
import { timerId, timerPayload } from './timer-id.ts';

const DONE: Settlement = { outcome: 'done' };

/** Keeps runs in memory, for component tests. */
export class MemoryRunStore implements RunStore<RuleClaim> {
  readonly pages: Page[] = [];
  readonly commands: AlertCommand[] = [];
  readonly decisions: Decision[] = [];
  /** By id. */
  readonly timers = new Map<string, RuleTimer>();
  readonly #runs = new Map<string, Run>();

  settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement> {
    for (const { value: event } of batches.flatMap(({ records }) => records)) {
      if (!mayRun(event)) continue;
      const change = decide(this.#runs.get(event.alertId), event);
      if (change !== undefined) this.#write(change);
    }
    return Promise.resolve(DONE);
  }

  bury(): Promise<Settlement> {
    return Promise.resolve(DONE);
  }

  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    return Promise.resolve(new Map([...this.#runs].filter(([alertId]) => alertIds.includes(alertId))));
  }

  settleRules(
    claims: readonly RuleClaim[],
    decide: (run: Run, claim: RuleClaim) => RunChange | undefined,
  ): Promise<void> {
    for (const claim of claims) {
      const run = this.#runs.get(claim.payload.alertId);
      const change = run && decide(run, claim);
      if (change !== undefined) this.#write(change);
      this.timers.delete(claim.id);
    }
    return Promise.resolve();
  }

  /** The claims that a timer would hand out at `at`. */
  claimsAt(at: Date): readonly RuleClaim[] {
    return [...this.timers]
      .filter(([, { dueAt }]) => dueAt <= at)
      .sort(([, a], [, b]) => a.dueAt.getTime() - b.dueAt.getTime())
      .map(([id, timer]) => ({ id, fence: timer.openedBy, payload: timerPayload(timer) }));
  }

  #write({ run, timers, pages, commands, decisions }: RunChange): void {
    this.#runs.set(run.alertId, run);
    this.pages.push(...pages);
    this.commands.push(...commands);
    this.decisions.push(...decisions);
    for (const timer of timers) this.timers.set(timerId(timer), timer);
  }
}
