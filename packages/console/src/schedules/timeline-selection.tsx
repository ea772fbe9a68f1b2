import { type JSX, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { PREFIX_MS } from '../shell/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { lengthText } from '../ui/time.ts';
import { instantAt, type Lane, type Scale } from './lanes.ts';
import styles from './schedules.module.css';
import { hourAt, hoursIn, selectedSpan, type Selection, selectionAfter, selectionOf } from './selection.ts';
import { timeText } from './time-text.ts';
import { LANE_NAMES_PX, TimelinePicture } from './timeline-picture.tsx';
import type { Span } from './zone.ts';

interface TimelineSelectionProps {
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly zone: string;
  readonly now: number;
  readonly refused: string | undefined;
  /** Called for an override of the selected hours. */
  readonly onOverride: (span: Span) => void;
}

/** The picture of a timeline, on which hours are selected by mouse and keyboard. */
export function TimelineSelection(props: TimelineSelectionProps): JSX.Element {
  const { lanes, now, onOverride, refused, scale, zone } = props;
  const [selection, setSelection] = useState<Selection>();
  const prefixAt = useRef(Number.NEGATIVE_INFINITY);
  const { from, until, width } = scale;
  const hours = useMemo(() => hoursIn({ from, until }, zone), [from, until, zone]);
  const selected = selectedSpan(selection, hours);
  const textOf = (span: Span) =>
    `${timeText(span.from, zone)} to ${timeText(span.until, zone)}, ${lengthText(span.until - span.from)}`;
  const select = (next: Selection | undefined) => {
    setSelection(next);
    const span = selectedSpan(next, hours);
    if (span !== undefined) announce(`Selected: ${textOf(span)}`);
  };
  const open = (span: Span | undefined) => {
    if (span === undefined) return;
    if (refused === undefined) onOverride(span);
    else announce(refused);
  };
  const press = (event: KeyboardEvent) => {
    const { altKey, ctrlKey, key, metaKey, shiftKey, timeStamp } = event;
    const isAfterG = timeStamp - prefixAt.current < PREFIX_MS;
    prefixAt.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (altKey || ctrlKey || metaKey || isAfterG) return;
    const next = selectionAfter({ key, shiftKey }, selection, { hours, start: now });
    if (next !== undefined) select(next);
    else if (key === 'o') open(selected ?? hourAt(now, hours));
    else return;
    event.preventDefault();
  };
  const pointedHour = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - LANE_NAMES_PX;
    return hourAt(instantAt(x, { from, until, width }), hours);
  };
  return (
    <>
      <div
        role="application"
        aria-label="Timeline. Arrow keys select hours, Shift with an arrow key extends the selection, o opens an override."
        tabIndex={0}
        className={styles['selectable']}
        onKeyDown={press}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          select(selectionOf(pointedHour(event)));
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId) || selection === undefined) return;
          const head = pointedHour(event)?.from;
          if (head !== undefined && head !== selection.head) setSelection({ anchor: selection.anchor, head });
        }}
        onPointerUp={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId) || selection === undefined) return;
          event.currentTarget.releasePointerCapture(event.pointerId);
          if (selection.head !== selection.anchor) open(selected);
        }}
      >
        <TimelinePicture lanes={lanes} scale={scale} zone={zone} now={now} selected={selected} />
      </div>
      <div className={styles['bar']}>
        <Button
          disabledReason={refused ?? (selected === undefined ? 'Select hours in the timeline.' : undefined)}
          onClick={() => {
            if (selected !== undefined) onOverride(selected);
          }}
        >
          Override the selected hours
        </Button>
        <span>{selected === undefined ? 'No hours selected.' : textOf(selected)}</span>
      </div>
    </>
  );
}
