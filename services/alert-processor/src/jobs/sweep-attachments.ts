import { everySeconds, removeInBatches, type ServiceContext } from '@tocsin/service-kit';
import type { AttachmentStore } from '../ports/attachment-store.ts';

const LOOK_EVERY_SECONDS = 1;
/** How many files are removed at once, with two statements for their bytes. */
const LOT = 20;

/**
 * Removes files without an alert once their time is over by the service's clock (P13): files that no create named
 * within a day, files of a killed process, and files that were removed, or whose alert was. Several replicas may do so.
 */
export async function sweepAttachments(
  context: Pick<ServiceContext, 'activity' | 'clock' | 'lifecycle' | 'logger' | 'metrics'>,
  store: Pick<AttachmentStore, 'sweep' | 'due' | 'nextDueAt'>,
): Promise<void> {
  const { activity, clock, logger, metrics } = context;
  activity.add('files to remove', {
    pending: () => store.due(clock.now()),
    nextDueAt: () => store.nextDueAt(),
  });
  const sweepLot = async (): Promise<number> => {
    const removed = await store.sweep(clock.now(), LOT);
    if (removed > 0) {
      metrics.count('tocsin_attachments_removed_total', removed);
      logger.info({ removed }, 'files that belong to no alert are removed');
    }
    return removed;
  };
  await everySeconds(context, LOOK_EVERY_SECONDS, 'sweep of files', (stopping) =>
    removeInBatches(sweepLot, { stopping }),
  );
}
