import type { EscalationState } from './escalation-state.ts';

/** The trace of rules that fire at their time. */
interface FiringTrace {
  /** The `traceparent` of its effects. */
  readonly trace: string;
  end(): void;
}

/** Begins a trace for `alertId` that is linked to the trace `linkedTo`; undefined where it is not sampled. */
export type BeginTrace = (name: string, linkedTo: string, alertId: string) => FiringTrace | undefined;

/** The traces of the due items that one process does together: one for each alert, linked to the trace of its state, which may have ended long ago. */
export class FiringTraces {
  readonly #begin: BeginTrace | undefined;
  /** By alert; undefined where the trace of the alert is not sampled. */
  readonly #traces = new Map<string, FiringTrace | undefined>();

  /** Nothing is traced without `begin`. */
  constructor(begin: BeginTrace | undefined) {
    this.#begin = begin;
  }

  /** The escalation state with the trace of its present transition, to which its pages belong. */
  withTrace(state: EscalationState): EscalationState {
    const { alertId, trace } = state;
    if (this.#begin === undefined || trace === undefined) return state;
    if (!this.#traces.has(alertId)) this.#traces.set(alertId, this.#begin('fire rule', trace, alertId));
    const begun = this.#traces.get(alertId);
    return begun === undefined ? state : { ...state, trace: begun.trace };
  }

  end(): void {
    for (const begun of this.#traces.values()) begun?.end();
    this.#traces.clear();
  }
}
