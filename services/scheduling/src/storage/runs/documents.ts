import type { IndexPlan } from '@tocsin/persistence';
import type { Branch, Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

/** Finds the runs that are old enough to be removed. */
export const BY_END = { endedAt: 1 } as const;

export type RunDocument = Omit<Run, 'alertId'> & {
  readonly _id: string;
  /** When the run of a closed or deleted alert was changed last: from here its retention counts. Absent while it is open. */
  readonly endedAt?: Date;
};

/** A run as this or an earlier release wrote it: fields that came later may be missing. */
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

/** Earlier releases set timers with the epoch of the run as fence, so their branches get it as `openedBy`. */
const toBranch = (
  { version = UNKNOWN, repeat, round = 0, awaits, openedBy, ahead = 0, ...rest }: AnyBranch,
  epoch: number,
): Branch => ({ ...rest, version, repeat, round, awaits, openedBy: openedBy ?? epoch, ahead });

/** No escalation has this version, so the log says that the escalation was changed since the flow began. */
const UNKNOWN = { epoch: 0, n: 0 };
