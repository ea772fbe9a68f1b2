const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  [DAY, 'd', 'h', HOUR],
  [HOUR, 'h', 'min', MINUTE],
  [MINUTE, 'min', 's', SECOND],
] as const;

/** A length of time in one or two units, such as `2 h 5 min`; a negative one as none. */
export function lengthText(ms: number): string {
  for (const [unit, name, smallerName, smaller] of UNITS) {
    if (ms < unit) continue;
    const rest = Math.floor((ms % unit) / smaller);
    // From ten on the smaller unit says little.
    const isShort = ms < 10 * unit && rest > 0;
    return `${Math.floor(ms / unit)} ${name}${isShort ? ` ${rest} ${smallerName}` : ''}`;
  }
  return `${Math.max(Math.floor(ms / SECOND), 0)} s`;
}

/** How long ago an instant was. */
export const agoText = (at: number, now: number): string =>
  now - at < 5 * SECOND ? 'now' : `${lengthText(now - at)} ago`;
