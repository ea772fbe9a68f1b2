import { ALERT_LIMITS, codePoints } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';

/**
 * The custom action that a path names. Whether the alert lists it is found out when the write settles (A9).
 *
 * @throws InvalidError when it is longer than any action can be.
 */
export function actionName(name: string): string {
  if (codePoints(name) <= ALERT_LIMITS.actionLength) return name;
  throw InvalidError.ofFields({ actionName: `should be at most ${ALERT_LIMITS.actionLength} characters` });
}
