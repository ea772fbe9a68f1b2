import { DueWork, type DueDocument, type DueWorkOptions } from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { watchOverdue } from './overdue.ts';

const EVERY_MS = 1_000;

const nameOf = (collection: string): string => `due-${collection}`;

/** Makes the work of one collection. It begins with `startDueWork`, so that `process` may use parts that are composed later. */
export function openDueWork<T extends DueDocument, P>(
  context: Pick<ServiceContext, 'activity' | 'clock' | 'logger' | 'metrics' | 'tasks'>,
  options: Omit<DueWorkOptions<T, P>, 'clock' | 'logger' | 'metrics' | 'wake'>,
): DueWork<T, P> {
  const { activity, clock, logger, metrics, tasks } = context;
  const name = nameOf(options.collection);
  const wake = (): void => {
    tasks.wake(name);
  };
  const dueWork = new DueWork<T, P>({ ...options, clock, logger, metrics, wake });
  activity.add(name, { pending: () => dueWork.countDue(), nextDueAt: () => dueWork.earliest() });
  return dueWork;
}

/** Adds the task that processes the due work, and shows how long the oldest has been due. */
export function startDueWork<T extends DueDocument, P>(
  context: Pick<ServiceContext, 'clock' | 'metrics' | 'tasks'>,
  dueWork: DueWork<T, P>,
): void {
  context.tasks.add({
    name: nameOf(dueWork.collection),
    everyMs: EVERY_MS,
    activate: (signal) => dueWork.activate(signal),
    runsWhenClockMoves: true,
    oldestDueAt: () => dueWork.earliest(),
  });
  watchOverdue(context, dueWork.collection, () => dueWork.earliest());
}
