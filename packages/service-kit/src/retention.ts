import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceContext } from './context.ts';
import { everySeconds } from './every.ts';

/** Real time between two lots, in milliseconds: whoever waits for the database comes first. */
const REST_MS = 50;
const SWEEP_EVERY_SECONDS = 600;
const DAY_MS = 86_400_000;

/** When a removal stops, and how it rests. */
export interface LotsOptions {
  readonly stopping: AbortSignal;
  /** Between two lots; 50 ms of real time unless given. */
  readonly rest?: (() => Promise<unknown>) | undefined;
}

/**
 * Calls `remove`, which removes one lot and answers how many that were, until nothing is left: then the answer is true. Once the
 * stop has begun no further lot does, and the answer is false.
 *
 * @throws what `remove` throws.
 */
export async function removeInLots(
  remove: () => Promise<number>,
  { stopping, rest = () => pause(REST_MS) }: LotsOptions,
): Promise<boolean> {
  while (!stopping.aborted) {
    if ((await remove()) === 0) return true;
    await rest();
  }
  return false;
}

/** What is kept for so many days by the service's clock. */
export interface Retained {
  readonly name: string;
  readonly days: number;
  /** One for each kind: removes a lot of what came to its end at `until` or before, and answers how many that were. */
  readonly removals: readonly ((until: Date) => Promise<number>)[];
  readonly rest?: LotsOptions['rest'];
}

/** Removes what was kept for long enough, every ten minutes of real time until the stop. Several replicas may do so at once. */
export async function sweepRetained(
  context: Pick<ServiceContext, 'clock' | 'lifecycle' | 'logger'>,
  { name, days, removals, rest }: Retained,
): Promise<void> {
  await everySeconds(context, SWEEP_EVERY_SECONDS, name, async (stopping) => {
    const until = new Date(context.clock.now().getTime() - days * DAY_MS);
    for (const remove of removals) await removeInLots(() => remove(until), { stopping, rest });
  });
}
