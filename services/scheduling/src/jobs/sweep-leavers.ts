import type { UserState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { ServiceContext } from '@tocsin/service-kit';
import type { Leavers } from '../application/leavers.ts';

/** An override or rule may be written at the moment at which its user is deleted, so all are checked again now and then. */
const RECHECK_EVERY_MS = 600_000;
const NAME = 'remove-deleted-users';

/**
 * Adds a task that removes what refers to deleted users: at the start, when the replica says that a user was deleted, and every
 * 10 minutes.
 */
export async function sweepLeavers(
  { activity, lifecycle, logger, tasks }: Pick<ServiceContext, 'activity' | 'lifecycle' | 'logger' | 'tasks'>,
  { leavers, users }: { leavers: Pick<Leavers, 'sweep'>; users: Pick<ReplicaView<UserState>, 'get' | 'whenChanged'> },
): Promise<void> {
  let wanted = 1;
  let swept = 0;
  const activate = async (signal: AbortSignal): Promise<void> => {
    const asked = wanted;
    await leavers.sweep(logger, signal);
    swept = asked;
  };
  activity.add('leavers', { pending: () => wanted - swept });
  tasks.add({ name: NAME, everyMs: RECHECK_EVERY_MS, timeoutMs: RECHECK_EVERY_MS, activate });
  await lifecycle.start(
    'watch for leavers',
    () =>
      users.whenChanged((id) => {
        if (users.get(id) !== undefined) return;
        wanted += 1;
        tasks.wake(NAME);
      }),
    (end) => {
      end();
    },
  );
}
