import { dueIndex, type IndexPlan } from '@tocsin/persistence';
import { nextDueAt } from '../../domain/runs/due.ts';
import type { Run } from '../../domain/runs/run.ts';

export const RUNS = 'runs';

/** Finds the runs that are old enough to be removed. */
export const BY_END = { endedAt: 1 } as const;

export type RunDocument = Omit<Run, 'alertId'> & {
  readonly _id: string;
  /** When the run of a closed or deleted alert was changed last: from here its retention counts. Absent while it is open. */
  readonly endedAt?: Date;
  /** When something of the run is due; absent where the run waits for events alone. */
  readonly nextDueAt?: Date;
};

export const runIndexes: readonly IndexPlan[] = [
  { collection: RUNS, keys: { _id: 1 }, serves: 'the run of an alert, read and written by each settlement' },
  {
    collection: RUNS,
    keys: BY_END,
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of runs of alerts that were closed or deleted long ago',
  },
  dueIndex(RUNS),
];

/** The run as it is kept after a change at `at`. */
export function fromRun({ alertId, ...rest }: Run, at: Date): RunDocument {
  const due = nextDueAt({ alertId, ...rest });
  return {
    _id: alertId,
    ...rest,
    ...(rest.alert.status !== 'open' && { endedAt: at }),
    ...(due !== undefined && { nextDueAt: due }),
  };
}

/** The run without the fields that only indexes need. */
export function toRun({ _id: alertId, ...document }: RunDocument): Run {
  const { endedAt: _, nextDueAt: __, ...run } = document;
  return { alertId, ...run };
}
