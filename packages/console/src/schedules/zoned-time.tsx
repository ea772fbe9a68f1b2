import type { JSX } from 'react';
import ui from '../ui/ui.module.css';
import { clockText, localZone, timeText } from './time-text.ts';
import { dateAt, wallOf } from './zone.ts';

interface ZonedTimeProps {
  readonly at: number;
  /** That of the schedule. */
  readonly zone: string;
}

/** An instant in the zone of a schedule, and beside it in that of this device where the two differ. */
export function ZonedTime({ at, zone }: ZonedTimeProps): JSX.Element {
  const local = localZone();
  const here = dateAt(at, local) === dateAt(at, zone) ? clockText(at, local) : timeText(at, local);
  return (
    <time dateTime={new Date(at).toISOString()}>
      {timeText(at, zone)}
      {wallOf(at, local) !== wallOf(at, zone) && <span className={ui['hint']}> (here {here})</span>}
    </time>
  );
}
