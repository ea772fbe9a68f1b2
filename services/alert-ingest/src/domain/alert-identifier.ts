import { ALERT_LIMITS, codePoints, type AlertIdentifier } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';

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
