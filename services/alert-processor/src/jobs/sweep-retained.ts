import { removeInBatches, SWEEP_TIMEOUT_MS, type ServiceContext } from '@tocsin/service-kit';
import { Retention } from '../application/retention.ts';
import { REMOVAL_DAYS, SETTLED_DAYS, type Kept } from '../domain/retention.ts';
import type { Config } from '../config.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';

/** Real time between two checks whether a new hour has begun. */
const LOOK_EVERY_MS = 1_000;

const COUNTED = {
  alerts: 'tocsin_alerts_expired_total',
  statuses: 'tocsin_request_statuses_expired_total',
  removals: 'tocsin_removals_forgotten_total',
} as const satisfies Readonly<Record<Kept, string>>;

/** Adds a task that removes what has been kept long enough. Logs and metrics say how much. */
export function sweepRetained(
  context: Pick<ServiceContext<Config>, 'activity' | 'clock' | 'config' | 'logger' | 'metrics' | 'tasks'>,
  rows: RetainedRows,
): void {
  const { activity, clock, config, logger, metrics, tasks } = context;
  const removed = new Map<Kept, number>();
  const retention = new Retention({
    rows,
    clock,
    periods: {
      alerts: config.alertRetentionDays,
      statuses: Math.max(config.requestStatusRetentionDays, SETTLED_DAYS),
      removals: REMOVAL_DAYS,
    },
    onRemoved: (kind, count) => {
      metrics.count(COUNTED[kind], count);
      removed.set(kind, (removed.get(kind) ?? 0) + count);
    },
  });
  activity.add('retention', { pending: () => retention.due(), nextDueAt: () => retention.nextDueAt() });
  const activate = async (stopping: AbortSignal): Promise<void> => {
    try {
      await retention.sweep((remove) => removeInBatches(remove, { stopping }));
    } finally {
      if (removed.size > 0) logger.info(Object.fromEntries(removed), 'what was kept for long enough is removed');
      removed.clear();
    }
  };
  tasks.add({ name: 'retention', everyMs: LOOK_EVERY_MS, timeoutMs: SWEEP_TIMEOUT_MS, activate });
}
