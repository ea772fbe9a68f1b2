import { pauseMs, type SendResult } from '../attempts.ts';

/** How the receiver of an integration behaves, as far as one process knows. */
export interface ReceiverHealth {
  /** How many rounds in a row brought nothing but silence and refusals for now. */
  readonly failures: number;
  /** Nothing is sent before this. */
  readonly pausedUntil: Date | undefined;
}

export const HEALTHY: ReceiverHealth = { failures: 0, pausedUntil: undefined };

/** After so many failures in a row the receiver is left alone for a while, and then tried by one delivery. */
const PAUSED_AFTER = 3;

/** How many deliveries may be handed over side by side, of at most `most`. */
export const allowed = ({ failures }: ReceiverHealth, most: number): number => (failures < PAUSED_AFTER ? most : 1);

/**
 * After a round with these results, of which there is at least one. An answer that settles a delivery, also a refusal for good,
 * shows that somebody is there. `jitter` is from 0 up to but not including 1.
 */
export function afterRound(
  { failures }: ReceiverHealth,
  results: readonly SendResult['kind'][],
  now: Date,
  jitter: number,
): ReceiverHealth {
  if (results.some((kind) => kind === 'accepted' || kind === 'permanent')) return HEALTHY;
  const failed = failures + 1;
  const pause = pauseMs(failed, jitter);
  return { failures: failed, pausedUntil: failed < PAUSED_AFTER ? undefined : new Date(now.getTime() + pause) };
}
