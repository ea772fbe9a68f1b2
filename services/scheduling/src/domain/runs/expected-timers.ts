import type { RuleTimer } from './rule-timer.ts';
import { dueAt, endOfRound, isLive, ruleKey, type Branch, type Run } from './run.ts';

/**
 * The timers that a run has to have: of each branch that goes on, those of the rules that have not fired, and the end of its
 * round. Timers for `look-up` and `exhausted` are left out: the run does not know when they are due.
 */
export function expectedTimers(run: Run): readonly RuleTimer[] {
  const fired = new Set(run.fired);
  return run.branches
    .filter((branch) => isLive(run, branch) && branch.awaits === undefined)
    .flatMap((branch) => timersOf(run, branch, fired));
}

/** When the next of the timers that a run has to have is due; undefined where it has to have none. */
export function nextDueAt(run: Run): Date | undefined {
  const instants = expectedTimers(run).map((timer) => timer.dueAt.getTime());
  return instants.length === 0 ? undefined : new Date(Math.min(...instants));
}

function timersOf(run: Run, branch: Branch, fired: ReadonlySet<string>): readonly RuleTimer[] {
  const { id: branchId, openedBy, round } = branch;
  const common = { alertId: run.alertId, branchId, round, openedBy };
  const rules = branch.rules.flatMap((rule, ruleIndex): RuleTimer[] =>
    fired.has(ruleKey(branch, ruleIndex)) ? [] : [{ ...common, ruleIndex, dueAt: dueAt(branch, rule) }],
  );
  const end = endOfRound(branch);
  return end === undefined ? rules : [...rules, { ...common, ruleIndex: 'repeat', dueAt: end }];
}
