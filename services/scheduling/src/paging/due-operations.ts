import { combineTransitions, type StateChange } from './state-change.ts';
import { dueTransition } from './decisions.ts';
import { dueItems } from './due.ts';
import type { EscalationState } from './escalation-state.ts';
import { type BeginTrace, FiringTraces } from './firing-traces.ts';
import { applyEffects, fireDue, type Transition } from './transitions.ts';
import type { OpenView } from './view-operations.ts';
import { MAX_WORK_MS, WorkTime } from './work-time-operations.ts';

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
      await this.#fireDueItems(state, { work, attempt: load });
    }
  }

  /** The changes by the due items of the prepared states. With `onlyFirstItem`, of only the first due item of each. */
  async process(
    states: readonly EscalationState[],
    { onlyFirstItem }: { readonly onlyFirstItem: boolean },
  ): Promise<readonly StateChange[]> {
    const { now } = this.#options;
    const work = new WorkTime();
    const changes: StateChange[] = [];
    for (const state of states.filter(({ alertId }) => this.#prepared.has(alertId))) {
      if (changes.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const maxItems = onlyFirstItem ? 1 : Infinity;
      const { after, transitions } = await this.#fireDueItems(state, {
        work,
        attempt: once,
        maxItems,
        traces: this.#traces,
      });
      changes.push(combineTransitions(after, transitions, now));
    }
    return changes;
  }

  /** Measures changes that are committed. */
  committed(changes: readonly StateChange[]): void {
    this.#options.onCommitted(changes);
  }

  /** Ends the traces. */
  end(): void {
    this.#traces.end();
  }

  /**
   * Does the due items of an escalation state in their order, each on the state that the one before left, until the time of a
   * transaction is over.
   */
  async #fireDueItems(
    state: EscalationState,
    { work, attempt, maxItems = Infinity, traces }: FireOptions,
  ): Promise<FiredItems> {
    const { now, view } = this.#options;
    const transitions: Transition[] = [];
    let after = state;
    for (const item of dueItems(state)) {
      if (item.dueAt > now || transitions.length >= maxItems) break;
      if (transitions.length > 0 && work.spentMs > MAX_WORK_MS) break;
      const before = traces?.withTrace(after) ?? after;
      const attempts: Transition[] = [];
      await attempt(() =>
        work.measure(() => {
          const effects = fireDue(before, item, view, now);
          attempts.push(dueTransition(before, item, effects));
          return [effects];
        }),
      );
      const transition = attempts.at(-1);
      if (transition === undefined) break;
      transitions.push(transition);
      after = applyEffects(after, transition.effects);
      await work.yieldIfDue();
    }
    return { after, transitions };
  }
}

interface FireOptions {
  readonly work: WorkTime;
  /** Tries one transition, and again after it has loaded the users and teams that the transition did not find. */
  readonly attempt: OpenView['load'];
  /** All by default. */
  readonly maxItems?: number;
  readonly traces?: FiringTraces;
}

interface FiredItems {
  readonly after: EscalationState;
  readonly transitions: readonly Transition[];
}

const once: OpenView['load'] = async (attempt) => {
  await attempt();
};
