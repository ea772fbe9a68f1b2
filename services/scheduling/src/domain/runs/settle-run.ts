import { nameIn } from '../world.ts';
import { RunEffects } from './effects.ts';
import { fireFrom, fireRule } from './fire.ts';
import { openResponders, type Settling } from './open.ts';
import type { RoutingView } from './routing-view.ts';
import type { Run } from './run.ts';

/**
 * Starts the flow of a run at `at`: opens its alert's responders and fires every rule that is due by then; the others are
 * timers. Delays count from the start of the cycle, also when it is noticed late; who is on call is read at `at` (S9).
 */
export function startRun(run: Run, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  openResponders(settling, new Date(run.alert.flowStartedAt));
  fireOpened(settling);
  return settling.effects;
}

/** Fires one rule whose timer came due at `at`, and whatever it opens. A rule of a branch that is gone does nothing. */
export function ruleDue(run: Run, branchId: string, ruleIndex: number, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  const branch = run.branches.find(({ id }) => id === branchId);
  if (branch !== undefined) fireRule(settling, branch, ruleIndex);
  fireOpened(settling);
  return settling.effects;
}

const effectsOf = (run: Run, at: Date, view: RoutingView): RunEffects =>
  new RunEffects(run, at, (responder) => nameIn(view, responder));

/** The list grows while escalations open further ones; the path of each keeps it finite. */
function fireOpened(settling: Settling): void {
  for (const branch of settling.effects.branches) fireFrom(settling, branch);
}

/** The run after a settlement: with the branches it opened and the rules that have had their turn. */
export function settled(run: Run, effects: RunEffects): Run {
  return {
    ...run,
    branches: [...run.branches, ...effects.branches],
    fired: [...run.fired, ...effects.fired],
  };
}
