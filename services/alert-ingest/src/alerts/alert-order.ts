import { ALERT_LIMITS, type AlertCommand, type AlertIdentifier, codePoints } from '@tocsin/events';
import { InvalidError } from '@tocsin/core';

type Ordered = Exclude<AlertCommand, { kind: 'create' | 'reset-recipient-states' }>;
type Common = 'requestId' | 'identifier' | 'integration' | 'actor' | 'source' | 'note' | 'matchedAction' | 'acceptedAt';
type Own<C> = C extends Ordered ? Omit<C, Common> : never;

/** The change of an existing alert by a command, without its actor and its time. */
export type AlertOrder = Own<Ordered>;

/**
 * How a path names an alert. Whether there is such an alert is found out when the write settles (A7).
 *
 * @throws InvalidError when it is longer than any identifier can be.
 */
export function alertIdentifier(type: AlertIdentifier['type'], value: string): AlertIdentifier {
  if (codePoints(value) > ALERT_LIMITS.alias)
    throw InvalidError.ofFields({ identifier: `should be at most ${ALERT_LIMITS.alias} characters` });
  return { type, value };
}

/**
 * The custom action that a path names. Whether the alert lists it is found out when the write settles (A9).
 *
 * @throws InvalidError when it is longer than any action can be.
 */
export function actionName(name: string): string {
  if (codePoints(name) <= ALERT_LIMITS.actionLength) return name;
  throw InvalidError.ofFields({ actionName: `should be at most ${ALERT_LIMITS.actionLength} characters` });
}

const MAX_SNOOZE_MS = 7 * 24 * 3_600_000;

/**
 * The end of a snooze that is asked for at `now`: after it, and at most 7 days after it (A5).
 *
 * @throws InvalidError when it is not.
 */
export function endOfSnooze(endTime: Date, now: Date): Date {
  const aheadMs = endTime.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= MAX_SNOOZE_MS) return endTime;
  throw InvalidError.ofFields({ endTime: 'should be in the future and at most 7 days ahead' });
}
