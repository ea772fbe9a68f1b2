import type { IndexPlan } from '@tocsin/persistence';
import type { Branch, Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

export type RunDocument = Omit<Run, 'alertId'> & { readonly _id: string };

/** What earlier versions wrote knows nothing of rounds, orders, whom it reached, and by what a branch was opened. */
type AnyRunDocument = Omit<RunDocument, 'branches' | NewField> &
  Partial<Pick<Run, NewField>> & {
    readonly branches: readonly AnyBranch[];
    readonly epoch?: number;
    readonly running?: boolean;
  };

type NewField = 'orders' | 'reached' | 'asked' | 'lookUps' | 'begun' | 'stoppedVersion';

type AnyBranch = Omit<Branch, NewOfBranch> & Partial<Branch>;

type NewOfBranch = 'version' | 'repeat' | 'round' | 'awaits' | 'openedBy' | 'ahead';

export const runIndexes: readonly IndexPlan[] = [
  { collection: RUNS, keys: { _id: 1 }, serves: 'the run of an alert, read and written by each settlement' },
];

export const fromRun = ({ alertId, ...rest }: Run): RunDocument => ({ _id: alertId, ...rest });

export function toRun(document: AnyRunDocument): Run {
  const { _id, branches, orders = 0, reached = [], asked = [], lookUps = [], epoch = 0, running, ...rest } = document;
  const { begun = true, stoppedVersion = running === false ? rest.alertVersion : 0, ...same } = rest;
  return {
    alertId: _id,
    ...same,
    branches: branches.map((branch) => toBranch(branch, epoch)),
    ...{ begun, stoppedVersion, orders, reached, asked, lookUps },
  };
}

/** Timers of earlier versions are fenced by the epoch of their run: so are its branches. */
const toBranch = (
  { version = UNKNOWN, repeat, round = 0, awaits, openedBy, ahead = 0, ...rest }: AnyBranch,
  epoch: number,
): Branch => ({ ...rest, version, repeat, round, awaits, openedBy: openedBy ?? epoch, ahead });

/** Of no escalation: a flow that began with it counts as one whose escalation was changed since. */
const UNKNOWN = { epoch: 0, n: 0 };
