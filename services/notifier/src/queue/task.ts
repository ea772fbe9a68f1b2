import { withTimeout, UnavailableError } from '@tocsin/core';
import type { ServiceContext, TaskResult } from '@tocsin/service';
import type { DeliverMessages } from './deliver-operations.ts';
import type { DeliveryStore } from './delivery-store.ts';

export interface SendTasksParts {
  /** The name of the task that begins due messages. */
  readonly name: string;
  readonly deliver: Pick<DeliverMessages, 'beginDue' | 'settled' | 'stop' | 'underWay' | 'onFreeSlot'>;
  readonly store: Pick<DeliveryStore, 'renewAndFreeExpired'>;
  /** When the next queue without a lease is due. */
  readonly nextDueAt: () => Promise<Date | undefined>;
}

/** A message that another process added may be begun this late. */
const LOOK_EVERY_MS = 1_000;
const MIN_PAUSE_MS = 5;
/** How often this process renews the leases of messages under way, and frees those of dead processes. */
const RENEW_EVERY_MS = 1_000;
/** A renewal that MongoDB does not answer delays no later one, which uses another connection. A lease lasts 5 s. */
const RENEW_TIMEOUT_MS = 1_500;

/**
 * Adds the task that begins due messages as soon as a slot is free, and the one that renews the leases of messages under way.
 * From the stop on no message is begun. The stop waits until each begun message has its result, and its lease is renewed until then.
 */
export async function addSendTasks(
  { clock, lifecycle, tasks }: Pick<ServiceContext, 'clock' | 'lifecycle' | 'tasks'>,
  { deliver, name, nextDueAt, store }: SendTasksParts,
): Promise<void> {
  const wake = (): void => {
    tasks.wake(name);
  };
  /** Whether the last run found a due queue. Otherwise a run only asks when the next queue is due. */
  let isDue = true;
  /** Begins due messages. The pause lasts until the next message is due. */
  const begin = async (): Promise<TaskResult> => {
    if (isDue && (await deliver.beginDue())) return { pauseMs: 0 };
    const due = await nextDueAt();
    const untilDue = due === undefined ? LOOK_EVERY_MS : due.getTime() - clock.now().getTime();
    const wasDue = isDue;
    isDue = untilDue <= 0;
    if (!isDue) return { pauseMs: Math.max(MIN_PAUSE_MS, untilDue) };
    // A message that was due before and was not begun waits for a slot, or another process begins it.
    return { pauseMs: wasDue ? LOOK_EVERY_MS : 0 };
  };
  deliver.onFreeSlot(wake);
  await lifecycle.startWork(
    name,
    () => deliver,
    async () => {
      deliver.stop();
      await deliver.settled();
    },
  );
  tasks.add({ name, everyMs: LOOK_EVERY_MS, runsWhenClockMoves: true, activate: begin, oldestDueAt: nextDueAt });
  tasks.add({
    name: `${name}-leases`,
    everyMs: RENEW_EVERY_MS,
    activate: async () => {
      if (await withTimeout(store.renewAndFreeExpired(deliver.underWay), RENEW_TIMEOUT_MS, throwLate)) wake();
    },
    runsUntil: () => deliver.settled(),
  });
}

function throwLate(): never {
  throw new UnavailableError('MongoDB did not renew the leases of messages in time.');
}
