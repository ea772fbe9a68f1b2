import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { localZone, timeText } from '../schedules/time-text.ts';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { lengthText } from '../ui/time.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import type { CalendarShift } from './calendar.ts';
import { Calendar } from './calendar-section.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import styles from './on-call.module.css';
import { scheduleIdOf } from './open-shift.ts';
import { forwardingRulesQuery, onCallsQuery, shiftsQuery } from './queries.ts';

const personQuery = (username: string) =>
  queryOptions({
    queryKey: ['person', username],
    queryFn: ({ signal }) => call<Answer<'get-user'>>({ path: `/v2/users/${encodeURIComponent(username)}`, signal }),
  });

/** The shifts of a user, and their calendar. */
export function PersonPage(): JSX.Element {
  const { username = '' }: { readonly username?: string } = useParams({ strict: false });
  const person = useQuery(personQuery(username));
  const shifts = useQuery(shiftsQuery(username));
  return (
    <>
      <p>
        <PageLink to={paths.onCall()}>On call</PageLink>
      </p>
      <PageHeading key={username} title={person.data?.data.fullName ?? username} isReady={!person.isPending} />
      <Loaded query={person} height="1.5rem">
        {({ data }) => <p>{data.username}</p>}
      </Loaded>
      <h2>Shifts</h2>
      <p className={ui['hint']}>
        Of the next three months, in all schedules, with those that others forward. Shifts through a team or an
        escalation are not among them. Times are in the zone of this device, {localZone()}.
      </p>
      <Loaded query={shifts} height="16rem">
        {(data) => <Shifts username={username} shifts={data} />}
      </Loaded>
      <Calendar username={username} />
    </>
  );
}

/** How many are listed before a person asks for more. */
const LISTED = 20;

interface ShiftsProps {
  readonly username: string;
  readonly shifts: readonly CalendarShift[];
}

function Shifts({ shifts, username }: ShiftsProps): JSX.Element {
  const now = useNow(30_000);
  const [shown, setShown] = useState(LISTED);
  const coming = shifts.filter(({ until }) => until > now);
  if (coming.length === 0) {
    return (
      <Empty title="No shifts">
        <p>{username} is in no schedule on call in the next three months.</p>
      </Empty>
    );
  }
  return (
    <>
      <ul className={styles['shifts']}>
        {coming.slice(0, shown).map((shift) => (
          <Shift key={`${shift.schedule} ${shift.from}`} username={username} shift={shift} shifts={coming} now={now} />
        ))}
      </ul>
      {coming.length > shown && (
        <Button
          onClick={() => {
            setShown(shown + LISTED);
          }}
        >
          Show {Math.min(LISTED, coming.length - shown)} more of {coming.length}
        </Button>
      )}
    </>
  );
}

interface ShiftProps extends ShiftsProps {
  readonly shift: CalendarShift;
  readonly now: number;
}

function Shift({ now, shift, shifts, username }: ShiftProps): JSX.Element {
  const { data: onCalls } = useQuery(onCallsQuery);
  const { from, schedule, until } = shift;
  const id = scheduleIdOf(onCalls?.data ?? [], schedule);
  const isMine = useSession().user.username === username;
  return (
    <li aria-current={from <= now ? 'time' : undefined}>
      <strong>{id === undefined ? schedule : <PageLink to={paths.schedule(id)}>{schedule}</PageLink>}</strong>
      {from <= now && ', on call now'}
      <div>
        {timeText(from, localZone())} to {timeText(until, localZone())}, {lengthText(until - from)}
      </div>
      {isMine && <HandOver username={username} shift={shift} shifts={shifts} now={now} />}
    </li>
  );
}

function HandOver({ now, shift, shifts, username }: ShiftProps): JSX.Element {
  const { data: onCalls } = useQuery(onCallsQuery);
  const { data: rules } = useQuery(forwardingRulesQuery(username));
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        aria-label={`Hand over ${shift.schedule}, ${timeText(shift.from, localZone())}`}
        disabledReason={onCalls === undefined || rules === undefined ? 'The page is reading the schedules.' : undefined}
        onClick={() => {
          setOpen(true);
        }}
      >
        Hand over
      </Button>
      {isOpen && onCalls !== undefined && rules !== undefined && (
        <HandOverDialog
          username={username}
          offered={[shift]}
          shifts={shifts}
          onCalls={onCalls.data}
          rules={rules}
          now={now}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
