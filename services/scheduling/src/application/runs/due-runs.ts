import { dueStep } from '../../domain/runs/decisions.ts';
import { dueItems } from '../../domain/runs/due.ts';
import type { Run } from '../../domain/runs/run.ts';
import { fireDue, applyEffects, type Transition } from '../../domain/runs/settle-run.ts';
import { FiringTraces, type BeginLater } from './firing-traces.ts';
import type { OpenView } from './routing-views.ts';
import { settledRun, type SettledRun } from './settled-run.ts';
import { MAX_WORK_MS, WorkTime } from './work-time.ts';

/** What {@link DueRuns} needs. */
export interface DueRunsPorts {
  readonly view: OpenView['view'];
  readonly load: OpenView['load'];
  readonly now: Date;
  readonly beginLater: BeginLater | undefined;
  /** Called with what was committed. */
  readonly onCommitted: (changes: readonly SettledRun[]) => void;
}

/** Does what is due of runs at one instant, all of it with the configuration of one instant. */
export class DueRuns {
  readonly #ports: DueRunsPorts;
  readonly #traces: FiringTraces;
  readonly #prepared = new Set<string>();

  constructor(ports: DueRunsPorts) {
    this.#ports = ports;
    this.#traces = new FiringTraces(ports.beginLater);
  }

  /**
   * Loads the users to whom the runs lead, as far as their owners answer. Runs that do not fit in the time of one transaction are not
   * prepared: they stay due.
   */
  async prepare(runs: readonly Run[]): Promise<void> {
    const { load } = this.#ports;
    const work = new WorkTime();
    for (const run of runs) {
      if (work.spentMs > MAX_WORK_MS) return;
      this.#prepared.add(run.alertId);
      await this.#processOne(run, { work, attempt: load });
    }
  }

  /** Does what is due of those runs that were prepared. `isCareful`: of each only what is due first. Resolves with their changes. */
  async process(runs: readonly Run[], { isCareful }: { readonly isCareful: boolean }): Promise<readonly SettledRun[]> {
    const { now } = this.#ports;
    const work = new WorkTime();
    const changes: SettledRun[] = [];
    for (const run of runs.filter(({ alertId }) => this.#prepared.has(alertId))) {
      if (changes.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const maxSteps = isCareful ? 1 : Infinity;
      const { after, steps } = await this.#processOne(run, { work, attempt: once, maxSteps, traces: this.#traces });
      changes.push(settledRun(after, steps, now));
    }
    return changes;
  }

  committed(changes: readonly SettledRun[]): void {
    this.#ports.onCommitted(changes);
  }

  end(): void {
    this.#traces.end();
  }

  /** Does the due items of a run in their order, each on the run that the one before left, until the time of a transaction is over. */
  async #processOne(run: Run, { work, attempt, maxSteps = Infinity, traces }: Options): Promise<Processed> {
    const { now, view } = this.#ports;
    const steps: Transition[] = [];
    let after = run;
    for (const item of dueItems(run)) {
      if (item.dueAt > now || steps.length >= maxSteps) break;
      if (steps.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const before = traces?.of(after) ?? after;
      const tried: Transition[] = [];
      await attempt(() =>
        work.measure(() => {
          const effects = fireDue(before, item, view, now);
          tried.push(dueStep(before, item, effects));
          return [effects];
        }),
      );
      const step = tried.at(-1);
      if (step === undefined) break;
      steps.push(step);
      after = applyEffects(after, step.effects);
      await work.yieldIfDue();
    }
    return { after, steps };
  }
}

interface Options {
  readonly work: WorkTime;
  /** Tries one step, again where it loads what the step did not find. */
  readonly attempt: OpenView['load'];
  readonly maxSteps?: number;
  readonly traces?: FiringTraces;
}

interface Processed {
  readonly after: Run;
  readonly steps: readonly Transition[];
}

const once: OpenView['load'] = (attempt) => {
  attempt();
  return Promise.resolve();
};
