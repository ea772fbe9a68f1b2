import type { IndexPlan } from '@tocsin/persistence';
import type { Branch, Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

export type RunDocument = Omit<Run, 'alertId'> & { readonly _id: string };

/** What was written before escalations repeated knows nothing of rounds, orders and whom it reached. */
type AnyRunDocument = Omit<RunDocument, 'branches' | 'orders' | 'reached' | 'asked'> &
  Partial<Pick<Run, 'orders' | 'reached' | 'asked'>> & { readonly branches: readonly AnyBranch[] };

type AnyBranch = Omit<Branch, 'version' | 'repeat' | 'round' | 'awaits'> & Partial<Branch>;

export const runIndexes: readonly IndexPlan[] = [
  { collection: RUNS, keys: { _id: 1 }, serves: 'the run of an alert, read and written by each settlement' },
];

export const fromRun = ({ alertId, ...rest }: Run): RunDocument => ({ _id: alertId, ...rest });

export const toRun = ({ _id, branches, orders = 0, reached = [], asked = [], ...rest }: AnyRunDocument): Run => ({
  alertId: _id,
  ...rest,
  branches: branches.map(toBranch),
  orders,
  reached,
  asked,
});

function toBranch({ version = UNKNOWN, repeat, round = 0, awaits, ...rest }: AnyBranch): Branch {
  return { ...rest, version, repeat, round, awaits };
}

/** Of no escalation: a flow that began with it counts as one whose escalation was changed since. */
const UNKNOWN = { epoch: 0, n: 0 };
