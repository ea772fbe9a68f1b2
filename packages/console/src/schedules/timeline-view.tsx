import type { JSX } from 'react';
import { lengthText } from '../ui/time.ts';
import { Agenda } from './agenda.tsx';
import { changedDays, lanesOf } from './lanes.ts';
import { LaneTable } from './lane-table.tsx';
import type { Timeline } from './queries.ts';
import { ShiftTable } from './shift-table.tsx';
import styles from './schedules.module.css';
import { finalStretches, isGap, spanOf, type Stretch } from './stretches.ts';
import { dayText } from './time-text.ts';
import type { Editing } from './take-button.tsx';
import { LANE_NAMES_PX } from './timeline-picture.tsx';
import { TimelineSelection } from './timeline-selection.tsx';
import { useIsNarrow, useWidth } from './use-layout.ts';
import { ZonedTime } from './zoned-time.tsx';
import { HOUR_MS } from './zone.ts';

interface TimelineViewProps {
  readonly timeline: Timeline;
  readonly zone: string;
  readonly now: number;
  readonly editing: Editing;
}

/** How many lanes are drawn. */
const MAX_LANES = 23;

/** A timeline as a picture and as a table; on a phone as a list by days. */
export function TimelineView({ editing, now, timeline, zone }: TimelineViewProps): JSX.Element {
  const isNarrow = useIsNarrow();
  const [ref, width] = useWidth<HTMLDivElement>();
  const lanes = lanesOf(timeline);
  const stretches = timeline._parent.enabled ? finalStretches(timeline) : [];
  const scale = { ...spanOf(timeline), width: Math.max(width - LANE_NAMES_PX, 1) };
  return (
    <>
      <Gaps stretches={stretches} zone={zone} now={now} />
      <ChangedDays timeline={timeline} zone={zone} />
      <div ref={ref} className={styles['pictureBox']}>
        {!isNarrow && width > 0 && (
          <TimelineSelection
            lanes={lanes.slice(0, MAX_LANES)}
            scale={scale}
            zone={zone}
            now={now}
            refused={editing.refused}
            onOverride={editing.onOverride}
          />
        )}
      </div>
      {!isNarrow && (
        <p className={styles['legend']}>
          Hatched: no one is on call. Thick border: by an override. Dashed border: forwarded. Below are the same times
          as a table.
        </p>
      )}
      {!isNarrow && lanes.length > MAX_LANES && (
        <p>{lanes.length - MAX_LANES} more rotations are in the table below alone.</p>
      )}
      <h2>Shifts</h2>
      {isNarrow ? (
        <Agenda stretches={stretches} zone={zone} now={now} editing={editing} />
      ) : (
        <ShiftTable stretches={stretches} zone={zone} now={now} editing={editing} />
      )}
      <LaneTable lanes={lanes.slice(1)} zone={zone} />
    </>
  );
}

interface GapsProps {
  readonly stretches: readonly Stretch[];
  readonly zone: string;
  readonly now: number;
}

/** How many are listed at once, and how many on request. */
const FIRST_GAPS = 3;
const MAX_GAPS = 50;

/** The gaps that are not over: the others cannot be closed any more, and are among the shifts. */
function Gaps({ now, stretches, zone }: GapsProps): JSX.Element | undefined {
  const all = stretches.filter(isGap);
  const gaps = all.filter(({ until }) => until > now);
  if (stretches.length === 0) return undefined;
  if (all.length === 0) return <p>No gaps in the time shown.</p>;
  if (gaps.length === 0) return <p>No gaps from now on in the time shown.</p>;
  return (
    <section aria-label="Gaps" className={styles['gaps']}>
      <h2>
        {gaps.length} {gaps.length === 1 ? 'gap' : 'gaps'}: no one is on call
      </h2>
      <GapList gaps={gaps.slice(0, FIRST_GAPS)} zone={zone} />
      {gaps.length > FIRST_GAPS && (
        <details>
          <summary>{gaps.length - FIRST_GAPS} more</summary>
          <GapList gaps={gaps.slice(FIRST_GAPS, MAX_GAPS)} zone={zone} />
          {gaps.length > MAX_GAPS && <p>All are among the shifts.</p>}
        </details>
      )}
    </section>
  );
}

function GapList({ gaps, zone }: { readonly gaps: readonly Stretch[]; readonly zone: string }): JSX.Element {
  return (
    <ul>
      {gaps.map(({ from, until }) => (
        <li key={from}>
          <ZonedTime at={from} zone={zone} /> to <ZonedTime at={until} zone={zone} />, {lengthText(until - from)}
        </li>
      ))}
    </ul>
  );
}

function ChangedDays({ timeline, zone }: Pick<TimelineViewProps, 'timeline' | 'zone'>): JSX.Element {
  return (
    <>
      {changedDays(spanOf(timeline), zone).map(({ date, from, until }) => (
        <p key={date} role="note">
          The clocks change on {dayText(from, zone)}: it has {(until - from) / HOUR_MS} hours.
        </p>
      ))}
    </>
  );
}
