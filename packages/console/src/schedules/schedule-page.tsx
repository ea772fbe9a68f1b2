import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useOverrideChangesRefused } from '../session/use-rights.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Loaded } from '../ui/loaded.tsx';
import { useNow } from '../ui/use-now.ts';
import { type Opened, removeTyped, typedBefore } from './opened.ts';
import { OpenedDialog } from './opened-dialog.tsx';
import { type Schedule, planQuery, scheduleQuery } from './queries.ts';
import { type Range, rangeOf } from './range.ts';
import { RangeLinks } from './range-links.tsx';
import { localZone, timeText } from './time-text.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { type CalendarDate, dateAt, midnightOf } from './zone.ts';

interface Shown {
  readonly range?: string;
  readonly from?: string;
}

/** Who is on call in a schedule over a range of days, and why. */
export function SchedulePage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(scheduleQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.schedules()}>All schedules</PageLink>
      </p>
      <PageHeading key={id} title={query.data?.data.name ?? 'Schedule'} isReady={!query.isPending} />
      <Loaded query={query} height="60vh">
        {({ data }) => <SchedulePlan key={data.id} schedule={data} />}
      </Loaded>
    </>
  );
}

function SchedulePlan({ schedule }: { readonly schedule: Schedule }): JSX.Element {
  const shown: Shown = useSearch({ strict: false });
  const now = useNow(30_000);
  const refused = useOverrideChangesRefused(schedule);
  const [opened, setOpened] = useState(() => typedBefore(schedule.id));
  const { timezone: zone } = schedule;
  const range = rangeOf(shown.range);
  const today = dateAt(now, zone);
  const date = midnightOf(shown.from ?? '') === undefined ? today : (shown.from ?? today);
  return (
    <>
      <ScheduleFacts schedule={schedule} now={now} />
      <ScheduleActions schedule={schedule} now={now} />
      <RangeLinks id={schedule.id} range={range} date={date} today={today} />
      <Plan schedule={schedule} range={range} date={date} now={now} refused={refused} onOpen={setOpened} />
      <OpenedDialog
        opened={opened}
        refused={refused}
        onClose={() => {
          removeTyped(schedule.id);
          setOpened(undefined);
        }}
      />
    </>
  );
}

function ScheduleFacts({ now, schedule }: { readonly schedule: Schedule; readonly now: number }): JSX.Element {
  const { description, enabled, ownerTeam, timezone } = schedule;
  const local = localZone();
  return (
    <>
      {description !== '' && <p>{description}</p>}
      <p>
        {ownerTeam?.name !== undefined && <>Team {ownerTeam.name}. </>}
        Times are in the zone of the schedule, <strong>{timezone}</strong>, where it is {timeText(now, timezone)}
        {local === timezone ? '.' : `; beside them are those of this device, ${local}.`}
      </p>
      {!enabled && <p role="note">This schedule is disabled, so no one is on call by it.</p>}
    </>
  );
}

interface PlanProps {
  readonly schedule: Schedule;
  readonly range: Range;
  readonly date: CalendarDate;
  readonly now: number;
  readonly refused: string | undefined;
  readonly onOpen: (opened: Opened) => void;
}

function Plan({ date, now, onOpen, range, refused, schedule }: PlanProps): JSX.Element {
  const query = useQuery(planQuery(schedule.id, schedule.timezone, date, range));
  return (
    <Loaded query={query} height="40vh">
      {({ overrides, timeline }) => (
        <ScheduleEditor
          schedule={schedule}
          overrides={overrides}
          timeline={timeline}
          now={now}
          refused={refused}
          onOpen={onOpen}
        />
      )}
    </Loaded>
  );
}
