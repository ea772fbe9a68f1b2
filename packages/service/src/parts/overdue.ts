import type { ServiceContext } from '../context.ts';

const LOOK_EVERY_MS = 5_000;

/**
 * Adds a task that measures how long the oldest item of `work` has been due, which grows while it is not done. `oldest` returns
 * its due instant by the service's clock, in the past or future. While `oldest` fails, its last result counts.
 */
export function watchOverdue(
  { clock, metrics, tasks }: Pick<ServiceContext, 'clock' | 'metrics' | 'tasks'>,
  work: string,
  oldest: () => Promise<Date | undefined>,
): void {
  let dueAt: Date | undefined;
  const activate = async (): Promise<void> => {
    try {
      dueAt = await oldest();
    } finally {
      metrics.overdue(work, dueAt === undefined ? 0 : (clock.now().getTime() - dueAt.getTime()) / 1_000);
    }
  };
  tasks.add({ name: `overdue-${work}`, everyMs: LOOK_EVERY_MS, activate, oldestDueAt: oldest });
}
