import { everySeconds, removeInLots, type ServiceContext } from '@tocsin/service-kit';
import type { AttachmentStore } from '../ports/attachment-store.ts';

const LOOK_EVERY_SECONDS = 1;
/** Files removed at once: their bytes are deleted by two statements. */
const LOT = 20;

/**
 * Removes files that belong to no alert once their time is over by the service's clock (P13): what no create named within a
 * day, what a killed process left half-way, and what was taken from its alert or went with it. Several replicas may do so.
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
  await everySeconds(context, LOOK_EVERY_SECONDS, 'sweep of files', (stopping) => removeInLots(sweepLot, { stopping }));
}
