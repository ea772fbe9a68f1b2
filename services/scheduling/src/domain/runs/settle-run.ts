import { nameIn } from '../world.ts';
import { doAsked } from './asked.ts';
import { RunEffects, type TurnOfBranch } from './effects.ts';
import { fireFrom, fireRule } from './fire.ts';
import { openResponders, type Settling } from './open.ts';
import { repeatDue, restart } from './repeat.ts';
import type { RoutingView } from './routing-view.ts';
import { ruleKey, type Asked, type Run } from './run.ts';

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

/** Which turn of which branch has come. */
export interface DueTurn {
  readonly branchId: string;
  readonly ruleIndex: TurnOfBranch;
  readonly round: number;
}

/**
 * Takes one turn whose timer came due at `at`: fires the rule with whatever it opens, or repeats the branch. A turn of a
 * branch that is gone, or of another round of it, does nothing.
 */
export function turnDue(run: Run, turn: DueTurn, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  const branch = run.branches.find(({ id, round }) => id === turn.branchId && round === turn.round);
  if (branch !== undefined) {
    if (turn.ruleIndex === 'repeat') repeatDue(settling, branch);
    else fireRule(settling, branch, turn.ruleIndex);
  }
  fireOpened(settling);
  return settling.effects;
}

/** Starts those branches again whose orders the owner of the alert has carried out; `done` has the ids of the orders. */
export function ordersDone(run: Run, done: ReadonlySet<string>, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  for (const branch of run.branches)
    if (branch.awaits !== undefined && done.has(branch.awaits)) restart(settling, branch);
  fireOpened(settling);
  return settling.effects;
}

/** Does what somebody asked for by hand, also of an acknowledged alert (A9). */
export function askedFor(run: Run, asked: readonly Asked[], view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view), insists: true };
  doAsked(settling, asked);
  fireOpened(settling);
  return settling.effects;
}

const effectsOf = (run: Run, at: Date, view: RoutingView): RunEffects =>
  new RunEffects(run, at, (responder) => nameIn(view, responder));

/** The list grows while escalations open further ones; the path of each keeps it finite. */
function fireOpened(settling: Settling): void {
  for (const branch of settling.effects.branches) fireFrom(settling, branch);
}

/**
 * The run after a settlement. A branch that starts again takes the place of what it was, and what its rules had opened ends
 * with its former round.
 */
export function settled(run: Run, effects: RunEffects): Run {
  const changed = [...effects.moved, ...effects.branches];
  const replaced = new Set(changed.map(({ id }) => id));
  const isBelow = (id: string) => effects.branches.some((branch) => id.startsWith(`${branch.id}/`));
  const branches = [...run.branches.filter(({ id }) => !replaced.has(id) && !isBelow(id)), ...changed];
  const turns = new Set(branches.flatMap((branch) => branch.rules.map((_, index) => ruleKey(branch, index))));
  return {
    ...run,
    branches,
    fired: [...run.fired, ...effects.fired].filter((key) => turns.has(key)),
    orders: run.orders + effects.orders.length,
    reached: [...new Set([...run.reached, ...effects.pages.map(({ userId }) => userId)])],
  };
}
