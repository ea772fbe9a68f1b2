import { InvalidError } from '@tocsin/errors';

const LONGEST_MS = 7 * 24 * 3_600_000;

/**
 * The end of a snooze that is asked for at `now`: after it, and at most 7 days after it (A5).
 *
 * @throws InvalidError when it is not.
 */
export function endOfSnooze(endTime: Date, now: Date): Date {
  const aheadMs = endTime.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= LONGEST_MS) return endTime;
  throw InvalidError.ofFields({ endTime: 'should be in the future and at most 7 days ahead' });
}
