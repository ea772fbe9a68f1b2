import type { ServiceContext } from '@tocsin/service-kit';
import type { ShiftClaim } from '../ports/shift-timers.ts';
import type { ShiftTeller } from '../application/shift-notices/shift-teller.ts';

/** Real time between two looks whether a schedule lacks its timer: an earlier release may still run beside this one. */
const LOOK_EVERY_MS = 600_000;

/** Adds a task that sets timers for schedules that lack one. */
export function keepShiftTimers<C extends ShiftClaim>(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  teller: Pick<ShiftTeller<C>, 'ensureTimers'>,
): void {
  tasks.add({
    name: 'set-shift-timers',
    everyMs: LOOK_EVERY_MS,
    timeoutMs: LOOK_EVERY_MS,
    activate: () => teller.ensureTimers(),
  });
}
