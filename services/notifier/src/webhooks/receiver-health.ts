import { pauseMs, type SendResult } from '../messages/attempts.ts';

/** How the receiver of an integration behaves, as far as one process knows. */
export interface ReceiverHealth {
  /** The number of failures in a row; concurrent calls count as one. */
  readonly failures: number;
  /** The receiver is not called before this. */
  readonly pausedUntil: Date | undefined;
}

export const HEALTHY: ReceiverHealth = { failures: 0, pausedUntil: undefined };

/** After so many failures in a row the receiver is not called for a while, and then by one call at a time. */
const PAUSED_AFTER = 3;

/** How many calls of the receiver may be under way, of at most `most`. */
export const allowedCalls = ({ failures }: ReceiverHealth, most: number): number =>
  failures < PAUSED_AFTER ? most : 1;

/**
 * After a call with this result that began when the health was `before`. An answer that ends a delivery, also a refusal for good,
 * shows that the receiver works. `jitter` is from 0 up to but not including 1.
 */
export function healthAfter(
  health: ReceiverHealth,
  before: ReceiverHealth,
  kind: SendResult['kind'],
  now: Date,
  jitter: number,
): ReceiverHealth {
  if (kind === 'accepted' || kind === 'permanent') return HEALTHY;
  if (health.failures !== before.failures) return health;
  const failures = health.failures + 1;
  const pausedUntil = failures < PAUSED_AFTER ? undefined : new Date(now.getTime() + pauseMs(failures, jitter));
  return { failures, pausedUntil };
}
