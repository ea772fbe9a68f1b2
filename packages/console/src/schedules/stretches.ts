import type { Timeline } from './queries.ts';
import { type CalendarDate, dateAt, type Span } from './zone.ts';

export type Layer = Timeline['finalTimeline'];
type Period = Layer['rotations'][number]['periods'][number];

/** How the people of a stretch come to be on call; of several ways the last one. */
export type Kind = 'default' | 'forwarding' | 'override';
const KINDS: readonly Kind[] = ['default', 'forwarding', 'override'];

/** A time in which the same people are on call in the same way. */
export interface Stretch extends Span {
  /** Each once, in the order of the rotations; empty where no one is. */
  readonly names: readonly string[];
  readonly kind: Kind;
}

interface Entry extends Span {
  readonly place: number;
  readonly name: string | undefined;
  readonly kind: Kind;
}

const entryOf = ({ endDate, recipient, startDate, type }: Period, place: number): Entry => ({
  place,
  name: recipient.type === 'none' ? undefined : (recipient.name ?? 'deleted'),
  kind: type,
  from: Date.parse(startDate),
  until: Date.parse(endDate),
});

/** Divides `range` into the stretches of some layers of a timeline, in order and without a hole. */
export function stretchesOf(layers: readonly Layer[], range: Span): readonly Stretch[] {
  const entries = layers
    .flatMap(({ rotations }) => rotations.flatMap(({ periods }) => periods))
    .map(entryOf)
    .filter(({ from, until }) => until > range.from && from < range.until);
  const edges = new Set([range.from, range.until, ...entries.flatMap(({ from, until }) => [from, until])]);
  const marks = [...edges].filter((at) => range.from <= at && at <= range.until).sort((one, other) => one - other);
  const coming = entries.toSorted((one, other) => other.from - one.from);
  const stretches: Stretch[] = [];
  let active: readonly Entry[] = [];
  for (const [index, from] of marks.slice(0, -1).entries()) {
    const begun: Entry[] = [];
    for (let next = coming.at(-1); next !== undefined && next.from <= from; next = coming.at(-1)) {
      begun.push(next);
      coming.pop();
    }
    active = [...active, ...begun].filter(({ until }) => until > from).sort((one, other) => one.place - other.place);
    append(stretches, { ...peopleOf(active), from, until: marks[index + 1] ?? range.until });
  }
  return stretches;
}

function peopleOf(active: readonly Entry[]): Pick<Stretch, 'names' | 'kind'> {
  const names = active.map(({ name }) => name).filter((name) => name !== undefined);
  const kinds = new Set(active.map(({ kind }) => kind));
  return { names: [...new Set(names)], kind: KINDS.findLast((kind) => kinds.has(kind)) ?? 'default' };
}

function append(stretches: Stretch[], next: Stretch): void {
  const last = stretches.at(-1);
  if (last?.kind === next.kind && namesText(last) === namesText(next)) {
    stretches[stretches.length - 1] = { ...last, until: next.until };
  } else stretches.push(next);
}

const namesText = ({ names }: Stretch): string => names.join('\n');

/** Who is on call over a timeline. Where no one is by an override, the kind of the stretch is `override`. */
export function finalStretches(timeline: Timeline): readonly Stretch[] {
  const { finalTimeline, overrideTimeline } = timeline;
  return stretchesOf([finalTimeline, noOneOf(overrideTimeline)], spanOf(timeline));
}

/** The part of a layer in which it says that no one is on call. */
export const noOneOf = (layer: Layer | undefined): Layer => ({
  rotations: (layer?.rotations ?? []).map((rotation) => ({
    ...rotation,
    periods: rotation.periods.filter(({ recipient }) => recipient.type === 'none'),
  })),
});

export const spanOf = ({ endDate, startDate }: Pick<Timeline, 'startDate' | 'endDate'>): Span => ({
  from: Date.parse(startDate),
  until: Date.parse(endDate),
});

/** A stretch without people that no override asked for. */
export const isGap = ({ kind, names }: Pick<Stretch, 'kind' | 'names'>): boolean =>
  names.length === 0 && kind !== 'override';

/** The people of a stretch in a sentence. */
export const peopleText = ({ names }: Pick<Stretch, 'names'>): string =>
  names.length === 0 ? 'No one' : names.join(', ');

/** Why the people of a stretch are on call. */
export const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  default: 'rotation',
  forwarding: 'forwarding',
  override: 'override',
};

interface DayOfStretches {
  readonly date: CalendarDate;
  /** The start of the first of them. */
  readonly from: number;
  readonly stretches: readonly Stretch[];
}

/** Stretches by the day of `zone` on which they begin. */
export function byDay(stretches: readonly Stretch[], zone: string): readonly DayOfStretches[] {
  const days = Map.groupBy(stretches, ({ from }) => dateAt(from, zone));
  return [...days].map(([date, ofDay]) => ({ date, from: ofDay[0]?.from ?? 0, stretches: ofDay }));
}
