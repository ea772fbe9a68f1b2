import { nameIn } from '../snapshot.ts';
import { doAsked } from './asked.ts';
import { RunEffects, type TurnOfBranch } from './effects.ts';
import { fireFrom, fireRule, lookUpDue } from './fire.ts';
import { openResponders, type Settling } from './open.ts';
import type { Asked, Beginning, Noted } from './observe.ts';
import { repeatDue, restart } from './repeat.ts';
import type { RoutingView } from './routing-view.ts';
import { isLive, ruleKey, type Branch, type LookUp, type Run } from './run.ts';

/**
 * Begins the cycle of a run at `at`: opens its responders, fires every rule that is due by then, and sets timers for the
 * others. Delays count from the start of the cycle, even when its event comes late; who is on call is read at `at` (S9).
 *
 * A cycle that is over already opens muted; its first rules count as fired if they were.
 */
export function startRun(run: Run, begins: Beginning, view: RoutingView, at: Date): RunEffects {
  const startedAt = new Date(run.alert.flowStartedAt);
  const muted = begins.how !== 'pages';
  const effects = effectsOf(run, muted ? startedAt : at, view, muted);
  const settling: Settling = { run, view, effects };
  openResponders(settling, begins, startedAt);
  if (begins.how !== 'never-paged') fireOpened(settling);
  return effects;
}

/** One step that an event causes: its name, its effects, and the run before it. */
export interface HeededStep {
  readonly what: string;
  readonly run: Run;
  readonly effects: RunEffects;
}

/** The steps that an event causes, each on the run that the one before left, and the run after all of them. */
export function heeded(
  { asked, begins, done, run }: Noted,
  view: RoutingView,
  at: Date,
): { readonly run: Run; readonly steps: readonly HeededStep[] } {
  const steps: HeededStep[] = [];
  let after = run;
  const take = (what: string, effects: RunEffects): void => {
    steps.push({ what, run: after, effects });
    after = settled(after, effects);
  };
  if (begins !== undefined) take('start', startRun(after, begins, view, at));
  if (done.size > 0) take([...done].join(), ordersDone(after, done, view, at));
  if (asked.length > 0) take(asked.map(({ factId }) => factId).join(), askedFor(after, asked, view, at));
  return { run: after, steps };
}

/** Which timer of which branch is due. */
export interface DueTurn {
  readonly branchId: string;
  readonly ruleIndex: TurnOfBranch;
  readonly round: number;
  /** The alert version that opened the branch. */
  readonly openedBy: number;
}

/** Whether a timer still counts: not when its branch is gone, stopped, opened again, or in another round. */
export const isDue = (run: Run, turn: DueTurn): boolean => (branchDue(run, turn) ?? lookUpOf(run, turn)) !== undefined;

function branchDue(run: Run, { branchId, openedBy, round, ruleIndex }: DueTurn): Branch | undefined {
  const branch = ruleIndex === 'look-up' ? undefined : run.branches.find(({ id }) => id === branchId);
  return branch?.round === round && branch.openedBy === openedBy && isLive(run, branch) ? branch : undefined;
}

function lookUpOf(run: Run, { branchId, openedBy, round, ruleIndex }: DueTurn): LookUp | undefined {
  const lookUp = ruleIndex === 'look-up' ? run.lookUps.find(({ id }) => id === branchId) : undefined;
  const { cause } = lookUp?.step ?? {};
  return lookUp?.attempt === round && cause?.openedBy === openedBy && isLive(run, cause) ? lookUp : undefined;
}

/**
 * Handles one timer at `at`, if it still counts: fires the rule with whatever it opens, repeats the branch, or opens whoever
 * could not be looked up before.
 */
export function turnDue(run: Run, turn: DueTurn, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  const [branch, lookUp] = [branchDue(run, turn), lookUpOf(run, turn)];
  if (lookUp !== undefined) {
    settling.effects.lookedUp.push(lookUp.id);
    lookUpDue(settling, lookUp);
  } else if (branch !== undefined && typeof turn.ruleIndex === 'number') fireRule(settling, branch, turn.ruleIndex);
  else if (branch !== undefined) repeatDue(settling, branch);
  fireOpened(settling);
  return settling.effects;
}

/**
 * Starts the next round of each branch whose order the owner of the alert has carried out; `done` has the ids of those orders.
 */
export function ordersDone(run: Run, done: ReadonlySet<string>, view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view) };
  for (const branch of run.branches)
    if (branch.awaits !== undefined && done.has(branch.awaits) && isLive(run, branch)) restart(settling, branch);
  fireOpened(settling);
  return settling.effects;
}

/** Does what a caller asked for by hand, of an acknowledged alert too (A9). */
export function askedFor(run: Run, asked: readonly Asked[], view: RoutingView, at: Date): RunEffects {
  const settling: Settling = { run, view, effects: effectsOf(run, at, view), askedWhile: asked[0]?.while };
  doAsked(settling, asked);
  fireOpened(settling);
  return settling.effects;
}

const effectsOf = (run: Run, at: Date, view: RoutingView, muted = false): RunEffects =>
  new RunEffects(run, at, { nameOf: (responder) => nameIn(view, responder), muted });

/** The list grows while escalations open others; the path of each keeps it finite. */
function fireOpened(settling: Settling): void {
  for (const branch of settling.effects.branches) fireFrom(settling, branch);
}

/**
 * The run after a settlement. A branch that starts again replaces itself, and what its rules had opened ends with the former
 * round.
 */
export function settled(run: Run, effects: RunEffects): Run {
  const changed = [...effects.moved, ...effects.branches];
  const replaced = new Set(changed.map(({ id }) => id));
  const isBelow = (id: string) => effects.branches.some((branch) => id.startsWith(`${branch.id}/`));
  const branches = [...run.branches.filter(({ id }) => !replaced.has(id) && !isBelow(id)), ...changed];
  const turns = new Set(branches.flatMap((branch) => branch.rules.map((_, index) => ruleKey(branch, index))));
  const lookedUp = new Set([...effects.lookedUp, ...effects.lookUps.map(({ id }) => id)]);
  return {
    ...run,
    branches,
    fired: [...run.fired, ...effects.fired].filter((key) => turns.has(key)),
    lookUps: [...run.lookUps.filter(({ id }) => !lookedUp.has(id)), ...effects.lookUps],
    orders: run.orders + effects.orders.length,
    reached: [...new Set([...run.reached, ...effects.pages.map(({ userId }) => userId)])],
  };
}
