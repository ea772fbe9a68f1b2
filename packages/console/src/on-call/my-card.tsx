import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { lengthText } from '../ui/time.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import type { CalendarShift } from './calendar.ts';
import { ForwardingRules } from './forwarding-rules.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { schedulesThroughOthers, timesOf } from './my-shifts.ts';
import styles from './on-call.module.css';
import { type ForwardingRule, forwardingRulesQuery, type OnCall, shiftsQuery } from './queries.ts';

const NO_RULES: readonly ForwardingRule[] = [];

/** Whether the signed-in person is on call, when next, and the way to hand it over. */
export function MyCard({ onCalls }: { readonly onCalls: readonly OnCall[] }): JSX.Element {
  const { username } = useSession().user;
  const query = useQuery(shiftsQuery(username));
  const { data: rules = NO_RULES } = useQuery(forwardingRulesQuery(username));
  return (
    <section aria-label="You" className={styles['me']}>
      <h2>You</h2>
      <Loaded query={query} height="6rem">
        {(shifts) => <MyShifts username={username} shifts={shifts} onCalls={onCalls} rules={rules} />}
      </Loaded>
      <ForwardingRules rules={rules} />
    </section>
  );
}

interface MyShiftsProps {
  readonly username: string;
  readonly shifts: readonly CalendarShift[];
  readonly onCalls: readonly OnCall[];
  readonly rules: readonly ForwardingRule[];
}

function MyShifts({ onCalls, rules, shifts, username }: MyShiftsProps): JSX.Element {
  const now = useNow(30_000);
  const [seen, setSeen] = useState<readonly ForwardingRule[]>();
  const times = timesOf(shifts, now);
  const others = schedulesThroughOthers(onCalls, times.now, username);
  const isOnCall = times.now.length > 0 || others.length > 0;
  const offered = [...times.now, ...(times.next === undefined ? [] : [times.next])];
  const close = () => {
    setSeen(undefined);
  };
  return (
    <>
      {times.now.map((shift) => (
        <p key={`${shift.schedule} ${shift.from}`} className={styles['now']}>
          You are on call in {shift.schedule} until <Until at={shift.until} now={now} />.
        </p>
      ))}
      {others.length > 0 && (
        <p className={styles['now']}>You are on call through a team or an escalation in {others.join(', ')}.</p>
      )}
      {!isOnCall && <p className={styles['now']}>You are not on call now.</p>}
      <p>
        <NextShift next={times.next} isOnCall={isOnCall} now={now} />
      </p>
      <div className={ui['row']}>
        <Button
          onClick={() => {
            setSeen(rules);
          }}
        >
          Hand over
        </Button>
        <PageLink to={paths.person(username)}>All your shifts and your calendar</PageLink>
      </div>
      <DialogBoundary key={seen === undefined ? 'none' : 'open'} onFail={close}>
        {seen !== undefined && (
          <HandOverDialog
            username={username}
            offered={offered}
            shifts={shifts}
            onCalls={onCalls}
            rules={seen}
            now={now}
            onClose={close}
          />
        )}
      </DialogBoundary>
    </>
  );
}

function Until({ at, now }: { readonly at: number; readonly now: number }): JSX.Element {
  return (
    <>
      <Instant isToMinute at={new Date(at).toISOString()} /> ({lengthText(at - now)})
    </>
  );
}

interface NextShiftProps {
  readonly next: CalendarShift | undefined;
  readonly isOnCall: boolean;
  readonly now: number;
}

function NextShift({ isOnCall, next, now }: NextShiftProps): JSX.Element {
  if (next === undefined) return <>You have no {isOnCall && 'other '}shift in the next three months.</>;
  return (
    <>
      Your next shift: {next.schedule}, from <Instant isToMinute at={new Date(next.from).toISOString()} /> (in{' '}
      {lengthText(next.from - now)}) until <Instant isToMinute at={new Date(next.until).toISOString()} />.
    </>
  );
}
