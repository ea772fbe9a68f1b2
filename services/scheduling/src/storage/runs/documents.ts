import type { IndexPlan } from '@tocsin/persistence';
import type { Branch, Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

/** The index of the sweep. */
export const BY_END = { endedAt: 1 } as const;

export type RunDocument = Omit<Run, 'alertId'> & {
  readonly _id: string;
  /** When the run of a closed or deleted alert was changed last: from here its retention counts. Absent while it is open. */
  readonly endedAt?: Date;
};

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
  {
    collection: RUNS,
    keys: BY_END,
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of runs of alerts that were closed or deleted long ago',
  },
];

/** The run as it is kept after a change at `at`. */
export const fromRun = ({ alertId, ...rest }: Run, at: Date): RunDocument => ({
  _id: alertId,
  ...rest,
  ...(rest.alert.status !== 'open' && { endedAt: at }),
});

export function toRun(document: AnyRunDocument): Run {
  const { _id, branches, orders = 0, reached = [], asked = [], lookUps = [], epoch = 0, running, ...rest } = document;
  const { begun = true, stoppedVersion = running === false ? rest.alertVersion : 0, ...same } = rest;
  return {
    alertId: _id,
    ...same,
    branches: branches.map((branch) => toBranch(branch, epoch)),
    begun,
    stoppedVersion,
    orders,
    reached,
    asked,
    lookUps,
  };
}

/** Timers of earlier versions are fenced by the epoch of their run: so are its branches. */
const toBranch = (
  { version = UNKNOWN, repeat, round = 0, awaits, openedBy, ahead = 0, ...rest }: AnyBranch,
  epoch: number,
): Branch => ({ ...rest, version, repeat, round, awaits, openedBy: openedBy ?? epoch, ahead });

/** Of no escalation: a flow that began with it counts as one whose escalation was changed since. */
const UNKNOWN = { epoch: 0, n: 0 };
