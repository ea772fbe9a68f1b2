import type { Run } from '../../domain/runs/run.ts';

/** The trace of something that is done at its own time. */
interface LaterTrace {
  /** The `traceparent` of whatever comes of it. */
  readonly trace: string;
  end(): void;
}

/** Begins a trace for `alertId` that is linked to the trace `asked`, which led to it long ago; undefined where it is not sampled. */
export type BeginLater = (name: string, asked: string, alertId: string) => LaterTrace | undefined;

/** The traces of runs that fire rules at their time: each is linked to that of its run, however long ago that was. */
export class FiringTraces {
  readonly #begin: BeginLater | undefined;
  /** By alert; undefined where it is not sampled. */
  readonly #begun = new Map<string, LaterTrace | undefined>();

  /** Nothing is traced without `begin`. */
  constructor(begin: BeginLater | undefined) {
    this.#begin = begin;
  }

  /** The run as its firing rules see it: their pages belong to the trace of the firing. */
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
