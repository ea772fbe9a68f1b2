import type { Run } from '../../domain/runs/run.ts';
import type { RuleClaim } from '../../ports/run-store.ts';

/** The trace of something that is done at its own time. */
interface LaterTrace {
  /** The `traceparent` of whatever comes of it. */
  readonly trace: string;
  end(): void;
}

/** Begins a trace for `alertId` that is linked to the trace `asked`, which led to it long ago; undefined where it is not sampled. */
export type BeginLater = (name: string, asked: string, alertId: string) => LaterTrace | undefined;

/** The traces of rules that fire at their time: each is linked to that of its run, however long ago that was. */
export class FiringTraces<C extends RuleClaim> {
  readonly #begun = new Map<C, LaterTrace>();

  /** Nothing is traced without `begin`. */
  constructor(begin: BeginLater | undefined, claims: readonly C[], runs: ReadonlyMap<string, Run>) {
    if (begin === undefined) return;
    for (const claim of claims) {
      const { alertId } = claim.payload;
      const asked = runs.get(alertId)?.trace;
      const begun = asked === undefined ? undefined : begin('fire rule', asked, alertId);
      if (begun !== undefined) this.#begun.set(claim, begun);
    }
  }

  /** The run as the firing rule sees it: its pages belong to the trace of the firing. */
  of(run: Run, claim: C): Run {
    const begun = this.#begun.get(claim);
    return begun === undefined ? run : { ...run, trace: begun.trace };
  }

  end(): void {
    for (const begun of this.#begun.values()) begun.end();
  }
}
