import type { Timeline } from './queries.ts';

type Periods = Pick<Timeline, 'finalTimeline'>;

export interface Shift {
  /** Who is on call, by name; empty where no one is. */
  readonly names: readonly string[];
  /** Milliseconds; the end of the timeline where it does not change before. */
  readonly from: number;
  readonly until: number;
}

interface Span {
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

/** Who is on call over a timeline, from `now` on: a shift for each time in which the same people are on call. */
export function shiftsFrom(timeline: Periods & Pick<Timeline, 'endDate'>, now: number): readonly Shift[] {
  const end = Date.parse(timeline.endDate);
  const spans = timeline.finalTimeline.rotations
    .flatMap(({ periods }) => periods)
    .map(({ endDate, recipient, startDate }): Span | undefined =>
      recipient.type === 'none'
        ? undefined
        : { name: recipient.name ?? 'deleted', from: Date.parse(startDate), until: Date.parse(endDate) },
    )
    .filter((span) => span !== undefined);
  const instants = new Set([now, end, ...spans.flatMap(({ from, until }) => [from, until])]);
  const marks = [...instants].filter((at) => at >= now && at <= end).sort((one, other) => one - other);
  return marks.slice(0, -1).reduce<readonly Shift[]>((shifts, from, index) => {
    const until = marks[index + 1] ?? end;
    const names = namesAt(spans, from);
    const last = shifts.at(-1);
    const isSame = last?.names.join('\n') === names.join('\n');
    return isSame ? [...shifts.slice(0, -1), { names, from: last.from, until }] : [...shifts, { names, from, until }];
  }, []);
}

const namesAt = (spans: readonly Span[], at: number): readonly string[] => [
  ...new Set(spans.filter(({ from, until }) => from <= at && at < until).map(({ name }) => name)),
];
