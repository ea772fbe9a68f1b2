import type { Run } from '../../domain/runs/run.ts';

/** The trace of what is done when it is due. */
interface LaterTrace {
  /** The `traceparent` of its effects. */
  readonly trace: string;
  end(): void;
}

/** Begins a trace for `alertId` that is linked to the trace `asked`; undefined where it is not sampled. */
export type BeginLater = (name: string, asked: string, alertId: string) => LaterTrace | undefined;

/** The traces of runs that do what is due: each is linked to the trace of its run, which may have ended long ago. */
export class FiringTraces {
  readonly #begin: BeginLater | undefined;
  /** By alert; undefined where it is not sampled. */
  readonly #begun = new Map<string, LaterTrace | undefined>();

  /** Nothing is traced without `begin`. */
  constructor(begin: BeginLater | undefined) {
    this.#begin = begin;
  }

  /** The run with the trace of what it does now, to which its pages belong. */
  of(run: Run): Run {
    const { alertId, trace } = run;
    if (this.#begin === undefined || trace === undefined) return run;
    if (!this.#begun.has(alertId)) this.#begun.set(alertId, this.#begin('fire rule', trace, alertId));
    const begun = this.#begun.get(alertId);
    return begun === undefined ? run : { ...run, trace: begun.trace };
  }

  end(): void {
    for (const begun of this.#begun.values()) begun?.end();
    this.#begun.clear();
  }
}
