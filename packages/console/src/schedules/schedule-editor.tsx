import type { JSX } from 'react';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import type { SeenSchedule } from './changes.ts';
import type { Opened } from './opened.ts';
import { changeTask, newTask, type OverrideTask, takenRotations } from './override-draft.ts';
import { OverrideList } from './override-list.tsx';
import type { Timeline } from './queries.ts';
import styles from './schedules.module.css';
import { spanOf, type Stretch } from './stretches.ts';
import { TimelineView } from './timeline-view.tsx';
import { HOUR_MS, type Span } from './zone.ts';

interface ScheduleEditorProps extends SeenSchedule {
  readonly timeline: Timeline;
  readonly now: number;
  /** Why the person cannot change overrides. */
  readonly refused: string | undefined;
  readonly onOpen: (opened: Opened) => void;
}

const MINUTE_MS = 60_000;

/** What a person has to know of a shift that is longer than the time shown. */
const cutNote = (shift: Span, shown: Span): string | undefined =>
  shift.until === shown.until || shift.from === shown.from
    ? 'The shift may be longer than the time shown. Look at the times, or show a longer time first.'
    : undefined;

/** A timeline, and the ways to put other people on call. */
export function ScheduleEditor(props: ScheduleEditorProps): JSX.Element {
  const { now, onOpen, overrides, refused, schedule, timeline } = props;
  const { username } = useSession().user;
  const zone = schedule.timezone;
  const seen = { schedule, overrides };
  const open = (task: OverrideTask) => {
    onOpen({ kind: 'override', task, seen });
  };
  const override = (span: Span) => {
    open(newTask('Override', { span, zone, username }));
  };
  const take = (stretch: Stretch) => {
    const from = Math.max(stretch.from, Math.floor(now / MINUTE_MS) * MINUTE_MS);
    const rotations = takenRotations(timeline, stretch);
    const task = newTask('Take this shift', { span: { from, until: stretch.until }, zone, username, rotations });
    open({ ...task, note: cutNote(stretch, spanOf(timeline)) });
  };
  return (
    <>
      <div className={styles['bar']}>
        <Button
          disabledReason={refused}
          onClick={() => {
            const from = Math.ceil(now / HOUR_MS) * HOUR_MS;
            override({ from, until: from + HOUR_MS });
          }}
        >
          Add an override
        </Button>
      </div>
      <TimelineView
        timeline={timeline}
        zone={zone}
        now={now}
        editing={{ username, refused, onOverride: override, onTake: take }}
      />
      <OverrideList
        overrides={overrides}
        shown={spanOf(timeline)}
        zone={zone}
        refused={refused}
        onChange={(each) => {
          open(changeTask(each, zone));
        }}
        onDelete={(each) => {
          onOpen({ kind: 'delete', override: each, seen });
        }}
      />
    </>
  );
}
