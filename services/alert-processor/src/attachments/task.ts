import { removeInBatches, SWEEP_TIMEOUT_MS, type ServiceContext } from '@tocsin/service';
import type { AttachmentStore } from './store.ts';

/** Files go this much after their time, in real time. */
const LOOK_EVERY_MS = 10_000;
/** How many files are removed at once, with two statements for their bytes. */
const BATCH = 20;

/**
 * Adds a task that removes files without an alert once their time is over by the service's clock (P13): files that no create named
 * within a day, files of a killed process, and files that were removed, or whose alert was. Several replicas may do so.
 */
export function sweepAttachments(
  {
    activity,
    clock,
    logger,
    metrics,
    tasks,
  }: Pick<ServiceContext, 'activity' | 'clock' | 'logger' | 'metrics' | 'tasks'>,
  store: Pick<AttachmentStore, 'sweep' | 'due' | 'nextDueAt'>,
): void {
  activity.add('files to remove', {
    pending: () => store.due(clock.now()),
    nextDueAt: () => store.nextDueAt(),
  });
  const sweepBatch = async (): Promise<number> => {
    const removed = await store.sweep(clock.now(), BATCH);
    if (removed > 0) {
      metrics.count('tocsin_attachments_removed_total', removed);
      logger.info({ removed }, 'files that belong to no alert are removed');
    }
    return removed;
  };
  tasks.add({
    name: 'remove-attachments',
    everyMs: LOOK_EVERY_MS,
    runsWhenClockMoves: true,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: async (stopping) => {
      await removeInBatches(sweepBatch, { stopping });
    },
  });
}
