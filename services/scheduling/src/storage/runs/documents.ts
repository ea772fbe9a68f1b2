import type { IndexPlan } from '@tocsin/persistence';
import type { TimerRow } from '@tocsin/timers';
import { timerId, type RuleTimer } from '../../domain/runs/rule-timer.ts';
import type { Run } from '../../domain/runs/run.ts';
import { nextDueAt } from '../../domain/runs/expected-timers.ts';
import type { RuleClaim } from '../../ports/run-store.ts';

export const RUNS = 'runs';
export const RULE_TIMERS = 'rule_timers';

/** Finds the runs that are old enough to be removed. */
export const BY_END = { endedAt: 1 } as const;
/** Finds the runs of which something is due. */
export const BY_DUE = { nextDueAt: 1 } as const;
/** Leaves out what is stored for indexes alone. */
export const WITHOUT_DATES = { endedAt: 0, nextDueAt: 0 } as const;

export type RunDocument = Omit<Run, 'alertId'> & {
  readonly _id: string;
  /** When the run of a closed or deleted alert was changed last: from here its retention counts. Absent while it is open. */
  readonly endedAt?: Date;
  /** When something is due by itself; absent where nothing is to come. */
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
  {
    collection: RUNS,
    keys: BY_DUE,
    options: { partialFilterExpression: { nextDueAt: { $exists: true } } },
    serves: 'the audit: runs of which something should have happened',
  },
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

export const toRun = ({ _id, ...rest }: RunDocument): Run => ({ alertId: _id, ...rest });

/** The row of a timer. The first round is left out. */
export const toTimer = (timer: RuleTimer): TimerRow<RuleClaim['payload']> => {
  const { alertId, branchId, dueAt, openedBy, round, ruleIndex } = timer;
  const payload = { alertId, branchId, ruleIndex, ...(round > 0 && { round }) };
  return { id: timerId(timer), dueAt, fence: openedBy, payload };
};
