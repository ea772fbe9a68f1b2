import type { JSX } from 'react';

const WITH_SECONDS: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const format = new Intl.DateTimeFormat(undefined, WITH_SECONDS);
const toMinute = new Intl.DateTimeFormat(undefined, { ...WITH_SECONDS, second: undefined });
const inUtc = new Intl.DateTimeFormat(undefined, { ...WITH_SECONDS, timeZone: 'UTC', timeZoneName: 'short' });

interface InstantProps {
  readonly at: string;
  /** Whether its seconds say nothing: shifts and other plans are to the minute. */
  readonly isToMinute?: boolean;
}

/** An instant in the zone of this device; the same in UTC when it is pointed at. */
export function Instant({ at, isToMinute = false }: InstantProps): JSX.Element {
  const instant = new Date(at);
  return (
    <time dateTime={at} title={inUtc.format(instant)}>
      {(isToMinute ? toMinute : format).format(instant)}
    </time>
  );
}
