import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceContext } from './context.ts';

/** Real time between two batches, which lets other work have the database. */
const REST_MS = 50;
/** The pause between two sweeps of what was kept for long enough. */
const SWEEP_EVERY_MS = 600_000;
/** How long a task may take that removes or checks many documents. */
export const SWEEP_TIMEOUT_MS = 600_000;
const DAY_MS = 86_400_000;

export interface BatchesOptions {
  readonly stopping: AbortSignal;
  /** Runs between two batches; waits for 50 ms of real time by default. */
  readonly rest?: (() => Promise<unknown>) | undefined;
}

/**
 * Calls `remove`, which removes one batch and returns its size, until the batch is empty. Returns whether that was reached: after
 * the stop has begun, no further batch begins.
 *
 * @throws what `remove` throws.
 */
export async function removeInBatches(
  remove: () => Promise<number>,
  { stopping, rest = () => pause(REST_MS) }: BatchesOptions,
): Promise<boolean> {
  while (!stopping.aborted) {
    if ((await remove()) === 0) return true;
    await rest();
  }
  return false;
}

export interface Retained {
  readonly name: string;
  /** How long it is kept, by the service's clock. */
  readonly days: number;
  /** One for each kind. Removes a batch of what has ended at `until` or before, and returns its size. */
  readonly removals: readonly ((until: Date) => Promise<number>)[];
  readonly rest?: BatchesOptions['rest'];
}

/** Adds a task that removes what was kept for long enough, every ten minutes. Several processes may do so at once. */
export function sweepRetained(
  { clock, tasks }: Pick<ServiceContext, 'clock' | 'tasks'>,
  { name, days, removals, rest }: Retained,
): void {
  tasks.add({
    name,
    everyMs: SWEEP_EVERY_MS,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: async (stopping) => {
      const until = new Date(clock.now().getTime() - days * DAY_MS);
      for (const remove of removals) await removeInBatches(() => remove(until), { stopping, rest });
    },
  });
}
