import { Timers, type TimersOptions } from '@tocsin/timers';
import type { ServiceContext } from '../context.ts';
import { watchOverdue } from './overdue.ts';
import { watchUnknownRows } from './unknown-rows.ts';

/**
 * Makes the timers of one collection. They fire only from `startTimers` on, so that `fire` may use parts that are composed later.
 */
export function openTimers<P>(
  context: ServiceContext,
  options: Pick<TimersOptions<P>, 'connection' | 'collection' | 'kinds' | 'fire' | 'room' | 'leaseMs' | 'batch'>,
): Timers<P> {
  const { activity, clock, logger, metrics } = context;
  const timers = new Timers<P>({ ...options, clock, logger, metrics });
  activity.add(`timers ${options.collection}`, {
    pending: () => timers.due(),
    nextDueAt: () => timers.nextDueAt(),
  });
  return timers;
}

/** Fires timers until the stop, and shows how long the oldest has been due. */
export async function startTimers<P>(context: ServiceContext, timers: Timers<P>): Promise<void> {
  watchOverdue(context, timers.collection, () => timers.oldest());
  watchUnknownRows(context, timers.collection, () => timers.countUnknown());
  await context.lifecycle.startWork(
    'timers',
    () => {
      timers.start();
    },
    () => timers.stop(),
  );
}
