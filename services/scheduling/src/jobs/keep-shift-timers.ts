import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import type { ShiftClaim } from '../ports/shift-timers.ts';
import type { ShiftTeller } from '../application/shift-notices/shift-teller.ts';

/** Real time between two looks whether a schedule lacks its timer: an earlier release may still run beside this one. */
const LOOK_EVERY_SECONDS = 600;

/** Sets timers for schedules that lack one, at the start and then now and then. What fails is tried again. */
export async function keepShiftTimers<C extends ShiftClaim>(
  context: Pick<ServiceContext, 'lifecycle' | 'logger'>,
  teller: Pick<ShiftTeller<C>, 'ensureTimers'>,
): Promise<void> {
  await teller.ensureTimers();
  await everySeconds(context, LOOK_EVERY_SECONDS, 'look for schedules without a timer', () => teller.ensureTimers());
}
