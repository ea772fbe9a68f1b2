import { type JSX, useId } from 'react';
import { type Bar, barsOf, huesOf, labelOf, type Lane, type Scale, ticksOf, xOf } from './lanes.ts';
import styles from './schedules.module.css';
import type { Span } from './zone.ts';
import { dayText, hourText, localZone, shortDayText, timeText } from './time-text.ts';

export const LANE_NAMES_PX = 128;
const LANE_PX = 38;
const BAR_PX = 28;
const AXIS_PX = 24;

interface TimelinePictureProps {
  readonly lanes: readonly Lane[];
  /** Of the part beside the names of the lanes. */
  readonly scale: Scale;
  readonly zone: string;
  readonly now: number;
  /** What a person selected. */
  readonly selected?: Span | undefined;
}

/** The lanes of a timeline as a picture. What it shows is on the page as text too. */
export function TimelinePicture({ lanes, now, scale, selected, zone }: TimelinePictureProps): JSX.Element {
  const hatch = useId();
  const local = localZone();
  const zones = local === zone ? [zone] : [zone, local];
  const top = zones.length * AXIS_PX;
  const height = top + lanes.length * LANE_PX;
  const isNowShown = scale.from <= now && now < scale.until;
  const nowX = xOf(now, scale);
  const hues = huesOf(lanes);
  return (
    <svg aria-hidden="true" width={LANE_NAMES_PX + scale.width} height={height} className={styles['picture']}>
      <defs>
        <pattern id={hatch} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="8" height="8" className={styles['hatchGround']} />
          <line x1="0" y1="0" x2="0" y2="8" strokeWidth="6" className={styles['hatchLine']} />
        </pattern>
      </defs>
      {zones.map((each, row) => (
        <Axis
          key={each}
          scale={scale}
          zone={each}
          y={row * AXIS_PX}
          height={row === 0 ? height : AXIS_PX}
          isLocal={row > 0}
        />
      ))}
      {lanes.map((lane, row) => (
        <g key={lane.key} transform={`translate(0 ${top + row * LANE_PX})`}>
          <text x="0" y={LANE_PX / 2} dominantBaseline="middle" className={styles['laneName']}>
            <title>{lane.name}</title>
            {labelOf(lane.name, LANE_NAMES_PX)}
          </text>
          <g transform={`translate(${LANE_NAMES_PX} ${(LANE_PX - BAR_PX) / 2})`}>
            {barsOf(lane.pieces, scale).map((bar) => (
              <BarMark key={bar.from} bar={bar} zone={zone} gapFill={`url(#${hatch})`} hue={hues.get(bar.text)} />
            ))}
          </g>
        </g>
      ))}
      {selected && (
        <rect
          x={LANE_NAMES_PX + xOf(selected.from, scale)}
          width={xOf(selected.until, scale) - xOf(selected.from, scale)}
          y={top}
          height={height - top}
          className={styles['selected']}
        />
      )}
      {isNowShown && (
        <line x1={LANE_NAMES_PX + nowX} x2={LANE_NAMES_PX + nowX} y1={top} y2={height} className={styles['nowLine']} />
      )}
    </svg>
  );
}

interface AxisProps {
  readonly scale: Scale;
  readonly zone: string;
  readonly y: number;
  /** How far the lines of the days reach. */
  readonly height: number;
  readonly isLocal: boolean;
}

function Axis({ height, isLocal, scale, y, zone }: AxisProps): JSX.Element {
  return (
    <g transform={`translate(${LANE_NAMES_PX} ${y})`} className={isLocal ? styles['localAxis'] : styles['axis']}>
      <text x={-LANE_NAMES_PX} y={AXIS_PX / 2} dominantBaseline="middle">
        {labelOf(isLocal ? 'Here' : zone, LANE_NAMES_PX)}
      </text>
      {ticksOf(scale, zone).map(({ at, isMidnight, label, x }) => (
        <g key={at} transform={`translate(${x} 0)`}>
          {(isMidnight || isLocal) && <line y1="0" y2={isMidnight ? height : 4} />}
          {label !== 'none' && x < scale.width - 24 && (
            <text x="3" y={AXIS_PX / 2} dominantBaseline="middle">
              {TICK_TEXTS[label](at, zone)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

const TICK_TEXTS = { date: dayText, day: shortDayText, hour: hourText };

interface BarMarkProps {
  readonly bar: Bar;
  readonly zone: string;
  readonly gapFill: string;
  readonly hue: number | undefined;
}

function BarMark({ bar, gapFill, hue, zone }: BarMarkProps): JSX.Element {
  const { from, kind, label, text, until, width, x } = bar;
  return (
    <g transform={`translate(${x} 0)`}>
      <title>
        {text}: {timeText(from, zone)} to {timeText(until, zone)}
      </title>
      <rect
        width={Math.max(width - 1, 1)}
        height={BAR_PX}
        rx="4"
        className={styles['bar']}
        data-kind={kind}
        data-hue={hue}
        {...(kind === 'gap' && { fill: gapFill })}
      />
      {label !== '' && (
        <text x="6" y={BAR_PX / 2} dominantBaseline="middle" className={styles['barText']} data-kind={kind}>
          {label}
        </text>
      )}
    </g>
  );
}
