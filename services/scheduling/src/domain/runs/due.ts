import { isSpent } from './exhausted.ts';
import { dueAt, endOfRound, ruleKey, type Branch, type Run } from './run.ts';

/** What is due: the rule of that index, the end of a round, another look-up, or to say that the flow is exhausted. */
type DueKind = number | 'repeat' | 'look-up' | 'exhausted';

/** Something that a run does by itself at its time. */
export interface DueItem {
  /** The branch; for `look-up`, the look-up. */
  readonly branchId: string;
  readonly ruleIndex: DueKind;
  /** The round of the branch; for `look-up`, the attempt; for `exhausted`, the cycle. */
  readonly round: number;
  readonly dueAt: Date;
}

/** The `branchId` of what belongs to no branch. */
const NO_BRANCH = '-';

/** Names an item within its run, the same however often it is computed. */
export const dueKey = ({ branchId, round, ruleIndex }: DueItem): string =>
  `${branchId}#${ruleIndex}${round === 0 ? '' : `~${round}`}`;

/**
 * All that a run does by itself, the earliest first: of each branch that goes on the rules that have not fired and the end of its
 * round, the look-ups, and to say that it is exhausted.
 */
export function dueItems(run: Run): readonly DueItem[] {
  const fired = new Set(run.fired);
  const branches = run.branches.filter(({ awaits, isStopped }) => !isStopped && awaits === undefined);
  return [
    ...branches.flatMap((branch) => itemsOf(branch, fired)),
    ...run.lookUps.map(itemOfLookUp),
    ...exhaustedItem(run),
  ].toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

/** When a run next does something by itself; undefined where it waits for events alone. */
export const nextDueAt = (run: Run): Date | undefined => dueItems(run)[0]?.dueAt;

function itemsOf(branch: Branch, fired: ReadonlySet<string>): readonly DueItem[] {
  const { id: branchId, round } = branch;
  const rules = branch.rules.flatMap((rule, ruleIndex): DueItem[] =>
    fired.has(ruleKey(branch, ruleIndex)) ? [] : [{ branchId, round, ruleIndex, dueAt: dueAt(branch, rule) }],
  );
  const end = endOfRound(branch);
  return end === undefined ? rules : [...rules, { branchId, round, ruleIndex: 'repeat', dueAt: end }];
}

const itemOfLookUp = ({ attempt: round, dueAt: at, id: branchId }: Run['lookUps'][number]): DueItem => ({
  branchId,
  round,
  ruleIndex: 'look-up',
  dueAt: at,
});

const exhaustedItem = (run: Run): readonly DueItem[] =>
  run.exhaustedDueAt !== undefined && isSpent(run)
    ? [{ branchId: NO_BRANCH, round: run.alert.cycle, ruleIndex: 'exhausted', dueAt: run.exhaustedDueAt }]
    : [];
