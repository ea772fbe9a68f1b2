import { useQuery } from '@tanstack/react-query';
import { Fragment, type JSX } from 'react';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Empty } from '../ui/empty.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { lengthText } from '../ui/time.ts';
import { useNow } from '../ui/use-now.ts';
import { MyCard } from './my-card.tsx';
import { isOnCall } from './my-shifts.ts';
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
            <>
              <MyCard onCalls={data} />
              <h2>All schedules</h2>
              <ul className={styles['list']}>
                {data.map((onCall) => (
                  <Schedule key={onCall._parent.id} onCall={onCall} />
                ))}
              </ul>
            </>
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
  const shifts = timeline.data && shiftsFrom(timeline.data.data, now);
  const isOff = !onCall._parent.enabled;
  const isAsked = shifts?.[0]?.isGap === false;
  return (
    <li className={styles['schedule']} data-gap={names.length === 0 && !isOff && !isAsked}>
      <h3>
        <PageLink to={paths.schedule(onCall._parent.id)}>{onCall._parent.name}</PageLink>
      </h3>
      <p className={styles['now']}>
        {isOff && 'This schedule is disabled. '}
        {names.length === 0 ? <NoOne isOff={isOff} isAsked={isAsked} /> : <People onCall={onCall} />}
        {isOnCall(onCall, user.username) && ' – you are on call'}
      </p>
      <div className={styles['next']}>
        <Loaded query={timeline} height="1.5rem">
          {() => <Next shifts={shifts ?? []} now={now} />}
        </Loaded>
      </div>
    </li>
  );
}

interface NoOneProps {
  readonly isOff: boolean;
  /** Whether an override asks for it. */
  readonly isAsked: boolean;
}

function NoOne({ isAsked, isOff }: NoOneProps): JSX.Element {
  if (isOff) return <>No one is on call.</>;
  return isAsked ? (
    <>No one is on call, as an override asks.</>
  ) : (
    <>Gap: no one is on call. An alert to this schedule pages no one.</>
  );
}

/** Who is on call: users with a link to their shifts. */
function People({ onCall }: { readonly onCall: OnCall }): JSX.Element {
  if (!('onCallParticipants' in onCall)) return <>{namesOf(onCall).join(', ')}</>;
  return (
    <>
      {onCall.onCallParticipants.map(({ id, name, type }, place) => (
        <Fragment key={`${type} ${id} ${place}`}>
          {place > 0 && ', '}
          {type === 'user' ? <PageLink to={paths.person(name)}>{name}</PageLink> : name}
        </Fragment>
      ))}
    </>
  );
}

function Next({ now, shifts }: { readonly shifts: readonly Shift[]; readonly now: number }): JSX.Element {
  const [present, next] = shifts;
  // The timeline has ended: it was read long ago.
  if (present === undefined) return <>Not known.</>;
  if (next === undefined) return <>No change in the next two weeks.</>;
  return (
    <>
      Until <Instant isToMinute at={new Date(next.from).toISOString()} /> ({lengthText(next.from - now)}), then{' '}
      {next.names.length === 0 ? noOneText(next) : next.names.join(', ')}.
    </>
  );
}

const noOneText = ({ isGap }: Shift): string => (isGap ? 'no one: a gap' : 'no one, as an override asks');
