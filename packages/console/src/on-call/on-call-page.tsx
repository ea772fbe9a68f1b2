import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Empty } from '../ui/empty.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { lengthText } from '../ui/time.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './on-call.module.css';
import { type OnCall, onCallsQuery, timelineQuery } from './queries.ts';
import { type Shift, shiftsFrom } from './shifts.ts';

/** Who is on call in each schedule, until when, and who is next. */
export function OnCallPage(): JSX.Element {
  const query = useQuery(onCallsQuery);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <PageHeading title="On call" />
      <p>Times are in the zone of this device, {zone}.</p>
      <Loaded query={query} height="16rem">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No schedules">
              <p>A schedule says who is on call when. Create one with the API or the command line.</p>
            </Empty>
          ) : (
            <ul className={styles['list']}>
              {data.map((onCall) => (
                <Schedule key={onCall._parent.id} onCall={onCall} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

const namesOf = (onCall: OnCall): readonly string[] =>
  'onCallParticipants' in onCall ? onCall.onCallParticipants.map(({ name }) => name) : onCall.onCallRecipients;

function Schedule({ onCall }: { readonly onCall: OnCall }): JSX.Element {
  const { user } = useSession();
  const now = useNow(30_000);
  const names = namesOf(onCall);
  const timeline = useQuery(timelineQuery(onCall._parent.id, names));
  const isMine = names.includes(user.username);
  const isOff = !onCall._parent.enabled;
  return (
    <li className={styles['schedule']} data-gap={names.length === 0 && !isOff}>
      <h2>
        <PageLink to={paths.schedule(onCall._parent.id)}>{onCall._parent.name}</PageLink>
      </h2>
      <p className={styles['now']}>
        {isOff && 'This schedule is disabled. '}
        {names.length === 0 ? 'No one is on call.' : names.join(', ')}
        {isMine && ' – you are on call'}
      </p>
      <div className={styles['next']}>
        <Loaded query={timeline} height="1.5rem">
          {({ data }) => <Next shifts={shiftsFrom(data, now)} now={now} />}
        </Loaded>
      </div>
    </li>
  );
}

function Next({ now, shifts }: { readonly shifts: readonly Shift[]; readonly now: number }): JSX.Element {
  const [present, next] = shifts;
  // The timeline has ended: it was read long ago.
  if (present === undefined) return <>Not known.</>;
  if (next === undefined) return <>No change in the next two weeks.</>;
  return (
    <>
      Until <Instant at={new Date(next.from).toISOString()} /> ({lengthText(next.from - now)}), then{' '}
      {next.names.length === 0 ? 'no one' : next.names.join(', ')}.
    </>
  );
}
