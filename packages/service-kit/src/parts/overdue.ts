import type { ServiceContext } from '../context.ts';
import { everySeconds } from '../every.ts';

const LOOKED_EVERY_SECONDS = 5;

/**
 * Shows how long the oldest item of `work` has been due, which grows while it is not done. `oldest` returns its due instant by
 * the service's clock, in the past or future. While `oldest` fails, its last result counts.
 */
export async function watchOverdue(
  context: Pick<ServiceContext, 'clock' | 'lifecycle' | 'logger' | 'metrics'>,
  work: string,
  oldest: () => Promise<Date | undefined>,
): Promise<void> {
  const { clock, metrics } = context;
  let dueAt: Date | undefined;
  await everySeconds(context, LOOKED_EVERY_SECONDS, `looking for overdue ${work}`, async () => {
    try {
      dueAt = await oldest();
    } finally {
      metrics.overdue(work, dueAt === undefined ? 0 : (clock.now().getTime() - dueAt.getTime()) / 1_000);
    }
  });
}
