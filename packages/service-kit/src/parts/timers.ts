import { Timers, type TimersOptions } from '@tocsin/timers';
import type { ServiceContext } from '../context.ts';
import { watchOverdue } from './overdue.ts';

/**
 * Makes the timers of one collection and registers them; they fire from the start of everything else on, so that `fire` may
 * use what is composed after them.
 */
export function openTimers<P>(
  context: ServiceContext,
  options: Pick<TimersOptions<P>, 'connection' | 'collection' | 'fire' | 'room' | 'leaseMs' | 'batch'>,
): Timers<P> {
  const { activity, clock, logger, metrics } = context;
  const timers = new Timers<P>({ ...options, clock, logger, metrics });
  activity.add(`timers ${options.collection}`, {
    pending: () => timers.due(),
    nextDueAt: () => timers.nextDueAt(),
  });
  return timers;
}

/** Lets timers fire until the stop, and shows for how long the oldest has been due. */
export async function startTimers<P>(context: ServiceContext, timers: Timers<P>): Promise<void> {
  await watchOverdue(context, timers.collection, () => timers.oldest());
  await context.lifecycle.start(
    'timers',
    () => {
      timers.start();
    },
    () => timers.stop(),
  );
}
