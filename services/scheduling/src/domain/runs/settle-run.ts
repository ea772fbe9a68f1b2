import { nameIn } from '../snapshot.ts';
import { Answers } from './answers.ts';
import { carryOut } from './manual-requests.ts';
import { RunEffects, type EffectsOptions } from './effects.ts';
import type { DueTimer } from './rule-timer.ts';
import { isExhausted, sayExhausted } from './exhausted.ts';
import { fireFrom, fireRule, lookUpDue } from './fire.ts';
import { isCall, tell, type News } from './news.ts';
import { openResponders, type Settling } from './open.ts';
import type { ManualRequest, CycleStart, ObservedChange } from './observe.ts';
import { repeatDue, restart } from './repeat.ts';
import type { RoutingView } from './routing.ts';
import { isLive, isOfFormerRound, mayLookUp, ruleKey, type Branch, type LookUp, type Run } from './run.ts';

/**
 * Starts the cycle of a run at `at`: opens its responders, fires every rule that is due by then, and sets timers for the
 * others. Delays count from the start of the cycle, even when its event comes late; who is on call is read at `at` (S9).
 *
 * A cycle that was stopped already pages nobody. Its first rules count as fired if it had paged.
 */
export function startRun(run: Run, cycleStart: CycleStart, view: RoutingView, at: Date): RunEffects {
  const startedAt = new Date(run.alert.flowStartedAt);
  const muted = cycleStart.how !== 'pages';
  const settling = settlingOf(run, muted ? startedAt : at, view, { muted });
  openResponders(settling, cycleStart, startedAt);
  if (cycleStart.how !== 'never-paged') fireOpened(settling);
  return settling.effects;
}

/** One step of a settlement: its effects, and the run before it. */
export interface SettledStep {
  /** Unique among the steps of a run. */
  readonly name: string;
  readonly run: Run;
  readonly effects: RunEffects;
}

/** The steps that an event causes, each on the run that the one before left, and the run after all of them. */
export function stepsOf(
  { cycleStart, done, news, requests, run }: ObservedChange,
  view: RoutingView,
  at: Date,
): { readonly run: Run; readonly steps: readonly SettledStep[] } {
  const steps: SettledStep[] = [];
  let after = run;
  const take = (name: string, effects: RunEffects): void => {
    steps.push({ name, run: after, effects });
    after = settled(after, effects);
  };
  if (cycleStart !== undefined) take('start', startRun(after, cycleStart, view, at));
  if (done.size > 0) take([...done].join(), ordersDone(after, done, view, at));
  if (requests.length > 0)
    take(requests.map(({ factId }) => factId).join(), requestsCarriedOut(after, requests, view, at));
  if (news.length > 0) take(`told:${news.map(({ fact }) => fact.factId).join()}`, newsTold(after, news, view, at));
  return { run: after, steps };
}

/** Tells news to whoever has been paged by now (U5). */
export function newsTold(run: Run, news: readonly News[], view: RoutingView, at: Date): RunEffects {
  const settling = settlingOf(run, at, view);
  tell(settling, news);
  return settling.effects;
}

/** Whether a timer still counts: not when its branch is gone, stopped, opened again, or in another round. */
export const isDue = (run: Run, timer: DueTimer): boolean =>
  (branchDue(run, timer) ?? lookUpOf(run, timer)) !== undefined || isExhausted(run, timer);

/** The run as if a timer that fails for ever had fired: nothing of it is due any more (S9). */
export function leftOut(run: Run, timer: DueTimer): Run {
  const branch = branchDue(run, timer);
  const { ruleIndex } = timer;
  if (branch === undefined) return run;
  if (typeof ruleIndex === 'number') return { ...run, fired: [...new Set([...run.fired, ruleKey(branch, ruleIndex)])] };
  if (ruleIndex !== 'repeat') return run;
  return { ...run, branches: run.branches.map((each) => (each === branch ? { ...branch, repeat: undefined } : each)) };
}

function branchDue(run: Run, { branchId, openedBy, round, ruleIndex }: DueTimer): Branch | undefined {
  const branch = ruleIndex === 'look-up' ? undefined : run.branches.find(({ id }) => id === branchId);
  return branch?.round === round && branch.openedBy === openedBy && isLive(run, branch) ? branch : undefined;
}

function lookUpOf(run: Run, { branchId, openedBy, round, ruleIndex }: DueTimer): LookUp | undefined {
  const lookUp = ruleIndex === 'look-up' ? run.lookUps.find(({ id }) => id === branchId) : undefined;
  const { cause } = lookUp?.step ?? {};
  return lookUp?.attempt === round && cause?.openedBy === openedBy && mayLookUp(run, lookUp) ? lookUp : undefined;
}

/**
 * Handles one timer at `at`, if it still counts: fires the rule with whatever it opens, repeats the branch, opens whoever
 * could not be looked up before, or says that nobody is left.
 */
export function fireTimer(run: Run, timer: DueTimer, view: RoutingView, at: Date): RunEffects {
  const [branch, lookUp] = [branchDue(run, timer), lookUpOf(run, timer)];
  const requestedWhile = lookUp?.requestedWhile;
  const settling: Settling = {
    ...settlingOf(run, at, view, { since: lookUp?.since, keepsSkipped: true }),
    requestedWhile,
  };
  if (lookUp !== undefined) {
    settling.effects.tryLookUp(lookUp);
    lookUpDue(settling, lookUp);
  } else if (branch !== undefined && typeof timer.ruleIndex === 'number') fireRule(settling, branch, timer.ruleIndex);
  else if (branch !== undefined) repeatDue(settling, branch);
  else if (isExhausted(run, timer)) sayExhausted(run, settling.effects);
  fireOpened(settling);
  return settling.effects;
}

/**
 * Starts the next round of each branch whose order the owner of the alert has carried out; `done` has the ids of those orders.
 */
export function ordersDone(run: Run, done: ReadonlySet<string>, view: RoutingView, at: Date): RunEffects {
  const settling = settlingOf(run, at, view);
  for (const branch of run.branches)
    if (branch.awaits !== undefined && done.has(branch.awaits) && isLive(run, branch)) restart(settling, branch);
  fireOpened(settling);
  return settling.effects;
}

/** Carries out manual requests, also while the alert is acknowledged (A9). */
export function requestsCarriedOut(
  run: Run,
  requests: readonly ManualRequest[],
  view: RoutingView,
  at: Date,
): RunEffects {
  const settling: Settling = { ...settlingOf(run, at, view), requestedWhile: requests[0]?.while };
  carryOut(settling, requests);
  fireOpened(settling);
  return settling.effects;
}

function settlingOf(run: Run, at: Date, view: RoutingView, options: Omit<EffectsOptions, 'nameOf'> = {}): Settling {
  const effects = new RunEffects(run, at, { nameOf: (responder) => nameIn(view, responder), ...options });
  return { run, view, effects, answers: new Answers(run, view, effects) };
}

/** The list grows while escalations open others. It ends, because no path opens anything twice. */
function fireOpened(settling: Settling): void {
  for (const branch of settling.effects.started) fireFrom(settling, branch);
}

/**
 * The run after a settlement. A branch that starts again replaces itself, and the branches that its rules had opened end with the
 * former round.
 */
export function settled(run: Run, effects: RunEffects): Run {
  const { lookUps } = effects;
  return {
    ...run,
    ...branchesAfter(run, effects),
    lookUps,
    pagedMeanwhile: lookUps.length === 0 ? [] : pagedMeanwhile(run, effects),
    orders: run.orders + effects.orders.length,
    noteMinutes: effects.noteMinutes ?? run.noteMinutes,
    exhaustedCycle: effects.exhausted ? run.cycle : run.exhaustedCycle,
    reached: [...new Set([...run.reached, ...effects.pages.filter(isCall).map(({ userId }) => userId)])],
  };
}

function pagedMeanwhile(run: Run, { at, pages }: RunEffects): Run['pagedMeanwhile'] {
  const now = pages.filter(isCall).map(({ userId, wantedWhile }) => ({ userId, wantedWhile, at }));
  return [
    ...new Map([...run.pagedMeanwhile, ...now].map((page) => [`${page.wantedWhile}:${page.userId}`, page])).values(),
  ];
}

/** Most timers change no branch: then the rules that have fired, of 20 000, are not compared with the branches. */
function branchesAfter(run: Run, effects: RunEffects): Pick<Run, 'branches' | 'fired' | 'skipped'> {
  const { takenUp } = effects;
  const others = (keys: readonly string[]) => (takenUp.size === 0 ? keys : keys.filter((key) => !takenUp.has(key)));
  const fired = [...others(run.fired), ...effects.fired];
  const skipped = [...others(run.skipped), ...effects.skipped];
  const changed = [...effects.changed, ...effects.started];
  if (changed.length === 0) return { branches: run.branches, fired, skipped };
  const replaced = new Set(changed.map(({ id }) => id));
  const branches = [...run.branches.filter(({ id }) => !replaced.has(id)), ...changed].filter(
    ({ id }) => !isOfFormerRound(effects.started, id),
  );
  const rules = new Set(branches.flatMap((branch) => branch.rules.map((_, index) => ruleKey(branch, index))));
  const ofBranches = (keys: readonly string[]) => keys.filter((key) => rules.has(key));
  return { branches, fired: ofBranches(fired), skipped: ofBranches(skipped) };
}
