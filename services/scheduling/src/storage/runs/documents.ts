import type { IndexPlan } from '@tocsin/persistence';
import type { Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

export type RunDocument = Omit<Run, 'alertId'> & { readonly _id: string };

export const runIndexes: readonly IndexPlan[] = [
  { collection: RUNS, keys: { _id: 1 }, serves: 'the run of an alert, read and written by each settlement' },
];

export const fromRun = ({ alertId, ...rest }: Run): RunDocument => ({ _id: alertId, ...rest });

export const toRun = ({ _id, ...rest }: RunDocument): Run => ({ alertId: _id, ...rest });
