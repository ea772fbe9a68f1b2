import { nameIn } from '../snapshot.ts';
import { Answers } from './answers.ts';
import { carryOut } from './manual-requests.ts';
import { RunEffects, type EffectsOptions } from './effects.ts';
import type { DueItem } from './due.ts';
import { isSpent, sayExhausted } from './exhausted.ts';
import { fireFrom, fireRule, lookUpDue } from './fire.ts';
import { isCall, tell, type News } from './news.ts';
import { openResponders, type Settling } from './open.ts';
import type { AppliedEvent, CycleStart, ManualRequest } from './apply-event.ts';
import { repeatDue, restart } from './repeat.ts';
import type { RoutingView } from './routing.ts';
import { isOfFormerRound, ruleKey, type Branch, type LookUp, type Run } from './run.ts';

/**
 * Starts the cycle of a run at `at`: opens its responders, and fires every rule that is due by then. Delays count from the start
 * of the cycle, even when its event comes late; who is on call is read at `at` (S9).
 *
 * A cycle that is superseded or stopped pages no user, and counts no missing one.
 */
export function startRun(run: Run, cycleStart: CycleStart, view: RoutingView, at: Date): RunEffects {
  const startedAt = new Date(run.alert.flowStartedAt);
  const muted = cycleStart.how !== 'pages';
  const settling = settlingOf(run, muted ? startedAt : at, view, { muted });
  openResponders(settling, cycleStart, startedAt);
  if (cycleStart.how !== 'stopped') fireOpened(settling);
  if (muted) settling.effects.nobody = 0;
  return settling.effects;
}

/** The effects that change a run once, and the run before that. */
export interface Transition {
  /** Unique among the transitions of a run. */
  readonly name: string;
  readonly run: Run;
  readonly effects: RunEffects;
}

/** The transitions that an event causes, each from the run that the one before left, and the run after all of them. */
export function transitions(
  { cycleStart, done, news, requests, run }: AppliedEvent,
  view: RoutingView,
  at: Date,
): { readonly run: Run; readonly steps: readonly Transition[] } {
  const steps: Transition[] = [];
  let after = run;
  const take = (name: string, effects: RunEffects): void => {
    steps.push({ name, run: after, effects });
    after = applyEffects(after, effects);
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

/** The run as if what fails for ever had been done: it is not due any more (S9). */
export function leftOut(run: Run, item: DueItem): Run {
  const { branchId, ruleIndex } = item;
  if (ruleIndex === 'look-up') return { ...run, lookUps: run.lookUps.filter(({ id }) => id !== branchId) };
  if (ruleIndex === 'exhausted') return { ...run, exhaustedDueAt: undefined };
  const branch = branchDue(run, item);
  if (branch === undefined) return run;
  if (ruleIndex !== 'repeat') return { ...run, fired: [...new Set([...run.fired, ruleKey(branch, ruleIndex)])] };
  return { ...run, branches: run.branches.map((each) => (each === branch ? { ...branch, repeat: undefined } : each)) };
}

function branchDue(run: Run, { branchId, round }: DueItem): Branch | undefined {
  return run.branches.find((branch) => branch.id === branchId && branch.round === round && !branch.isStopped);
}

function lookUpOf(run: Run, { branchId, round }: DueItem): LookUp | undefined {
  return run.lookUps.find((lookUp) => lookUp.id === branchId && lookUp.attempt === round);
}

/**
 * Does at `at` what is due, unless the run has changed so that it no longer is: fires the rule with whatever it opens, repeats the
 * branch, opens who could not be looked up before, or says that nobody is left.
 */
export function fireDue(run: Run, item: DueItem, view: RoutingView, at: Date): RunEffects {
  const lookUp = item.ruleIndex === 'look-up' ? lookUpOf(run, item) : undefined;
  const settling: Settling = {
    ...settlingOf(run, at, view, { since: lookUp?.since, keepsSkipped: true }),
    requestedWhile: lookUp?.requestedWhile,
  };
  if (lookUp !== undefined) {
    settling.effects.tryLookUp(lookUp);
    lookUpDue(settling, lookUp);
  } else if (item.ruleIndex === 'exhausted') {
    if (isSpent(run)) sayExhausted(run, settling.effects);
  } else if (item.ruleIndex !== 'look-up') fireBranch(settling, branchDue(run, item), item.ruleIndex);
  fireOpened(settling);
  return settling.effects;
}

function fireBranch(settling: Settling, branch: Branch | undefined, ruleIndex: number | 'repeat'): void {
  if (branch === undefined) return;
  if (ruleIndex === 'repeat') repeatDue(settling, branch);
  else fireRule(settling, branch, ruleIndex);
}

/**
 * Starts the next round of each branch whose order the owner of the alert has carried out; `done` has the ids of those orders.
 */
export function ordersDone(run: Run, done: ReadonlySet<string>, view: RoutingView, at: Date): RunEffects {
  const settling = settlingOf(run, at, view);
  for (const branch of run.branches)
    if (branch.awaits !== undefined && done.has(branch.awaits) && !branch.isStopped) restart(settling, branch);
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
 * The run after `effects`. A branch that starts again replaces itself, and the branches that its rules had opened end with the
 * former round.
 */
export function applyEffects(run: Run, effects: RunEffects): Run {
  const { lookUps } = effects;
  return {
    ...run,
    ...branchesAfter(run, effects),
    lookUps,
    pagedMeanwhile: lookUps.length === 0 ? [] : pagedMeanwhile(run, effects),
    orders: run.orders + effects.orders.length,
    noteMinutes: effects.noteMinutes ?? run.noteMinutes,
    isExhausted: effects.exhausted || run.isExhausted,
    exhaustedDueAt: effects.exhausted ? undefined : run.exhaustedDueAt,
    reached: [...new Set([...run.reached, ...effects.pages.filter(isCall).map(({ userId }) => userId)])],
  };
}

function pagedMeanwhile(run: Run, { at, pages }: RunEffects): Run['pagedMeanwhile'] {
  const now = pages.filter(isCall).map(({ userId, wantedWhile }) => ({ userId, wantedWhile, at }));
  return [
    ...new Map([...run.pagedMeanwhile, ...now].map((page) => [`${page.wantedWhile}:${page.userId}`, page])).values(),
  ];
}

/** Most rules change no branch: then the rules that have fired, of 20 000, are not compared with the branches. */
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
