import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import styles from '../schedules/schedules.module.css';
import { localZone, timeText } from '../schedules/time-text.ts';
import { useSettled } from '../schedules/use-settled.ts';
import ui from '../ui/ui.module.css';
import type { CalendarShift } from './calendar.ts';
import { type ReadForwarding, ruleText, rulesWithin, shiftsWithin } from './hand-over.ts';
import { forwardingRulesQuery } from './queries.ts';

interface ForwardingPreviewProps {
  readonly read: ReadForwarding;
  readonly shifts: readonly CalendarShift[];
}

/** How long a person types nothing before the server is asked. */
const SETTLE_MS = 400;
/** How many shifts are listed. */
const MAX_LISTED = 8;

/** What a rule forwards: the shifts in its time, as the server listed them, and whether its user forwards as well. */
export function ForwardingPreview({ read, shifts }: ForwardingPreviewProps): JSX.Element {
  return (
    <section aria-label="Preview" className={styles['preview']}>
      <h3>Preview</h3>
      {read.faults === undefined ? (
        <Forwarded read={read} shifts={shifts} />
      ) : (
        <p className={ui['hint']}>It is shown when person and times are complete.</p>
      )}
    </section>
  );
}

interface ForwardedProps {
  readonly read: Extract<ReadForwarding, { readonly faults?: undefined }>;
  readonly shifts: readonly CalendarShift[];
}

function Forwarded({ read: { body, span }, shifts }: ForwardedProps): JSX.Element {
  const { username } = body.toUser;
  const settled = useSettled(username, username, SETTLE_MS);
  const { data: rules = [] } = useQuery(forwardingRulesQuery(settled));
  const zone = localZone();
  const listed = shiftsWithin(shifts, span);
  return (
    <>
      <ul>
        {listed.slice(0, MAX_LISTED).map(({ from, schedule, until }) => (
          <li key={`${schedule} ${from}`}>
            <strong>{schedule}</strong>: {username}, {timeText(from, zone)} to {timeText(until, zone)}
          </li>
        ))}
        {listed.length > MAX_LISTED && <li>And {listed.length - MAX_LISTED} more shifts.</li>}
        <li>All else that would page you in this time: {username}</li>
      </ul>
      {settled === username &&
        rulesWithin(rules, span).map((rule) => (
          <p key={rule.id} role="note">
            {username} forwards in this time as well: {ruleText(rule, zone)}.
          </p>
        ))}
    </>
  );
}
