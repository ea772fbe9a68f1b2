import type { UserState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import type { Leavers } from '../application/leavers.ts';

/** Real time between two looks whether somebody left. */
const LOOK_EVERY_SECONDS = 1;
/** An override or rule may be written at the moment at which its user is deleted, so all are checked again now and then. */
const RECHECK_EVERY_SECONDS = 600;

/**
 * Takes away what users leave behind for as long as the service runs: at its start, when the replica says
 * that a user was deleted, and every 10 minutes. What fails is tried again.
 */
export async function sweepLeavers(
  context: Pick<ServiceContext, 'activity' | 'lifecycle' | 'logger'>,
  { leavers, users }: { leavers: Pick<Leavers, 'sweep'>; users: Pick<ReplicaView<UserState>, 'get' | 'whenChanged'> },
): Promise<void> {
  let wanted = 1;
  let swept = 0;
  const sweep = async () => {
    const asked = wanted;
    if (swept === asked) return;
    await leavers.sweep(context.logger);
    swept = asked;
  };
  context.activity.add('leavers', { pending: () => wanted - swept });
  await context.lifecycle.start(
    'watch for leavers',
    () =>
      users.whenChanged((id) => {
        if (users.get(id) === undefined) wanted += 1;
      }),
    (end) => {
      end();
    },
  );
  await everySeconds(context, LOOK_EVERY_SECONDS, 'sweep of what leavers left behind', sweep);
  await everySeconds(context, RECHECK_EVERY_SECONDS, 'recheck for leavers', () => {
    wanted += 1;
    return Promise.resolve();
  });
}
