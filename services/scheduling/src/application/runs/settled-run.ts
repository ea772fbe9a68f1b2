import { decisionsOf } from '../../domain/runs/decisions.ts';
import { withExhausted } from '../../domain/runs/exhausted.ts';
import type { Run } from '../../domain/runs/run.ts';
import type { Transition } from '../../domain/runs/settle-run.ts';
import type { RunChange } from '../../ports/run-store.ts';
import { orderCommands } from './order-commands.ts';

/** A change of a run, how many of its rules found no recipient, and how many times it became exhausted. */
export interface SettledRun extends RunChange {
  readonly nobody: number;
  readonly exhausted: number;
}

/** The change that `steps` make, after which the run is `run`. */
export function settledRun(run: Run | undefined, steps: readonly Transition[], at: Date): SettledRun {
  const effects = steps.map((step) => step.effects);
  return {
    at,
    run: run && withExhausted(run, effects, at),
    pages: effects.flatMap(({ pages }) => pages),
    commands: steps.flatMap(({ run: before, effects: { at: then, orders } }) => orderCommands(before, orders, then)),
    decisions: steps.flatMap(decisionsOf),
    nobody: effects.reduce((sum, { nobody }) => sum + nobody, 0),
    exhausted: effects.filter(({ exhausted }) => exhausted).length,
  };
}
