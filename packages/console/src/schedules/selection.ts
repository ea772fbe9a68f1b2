import { daysOf, hoursOf, type Span } from './zone.ts';

/**
 * Hours that are selected, from one to the other, both included: the instants at which they begin. So they mean the same time whatever
 * range is shown.
 */
export interface Selection {
  readonly anchor: number;
  readonly head: number;
}

/** The hours of a range by the clocks of `zone`, in order; the first and the last as much of them as is in it. */
export function hoursIn(range: Span, zone: string): readonly Span[] {
  const hours = daysOf(range, zone).flatMap((day) => hoursOf(day, zone));
  const starts = [...new Set([range.from, ...hours])];
  return starts.map((from, index) => ({ from, until: starts[index + 1] ?? range.until }));
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 24, ArrowUp: -24 };

/**
 * What a key makes of a selection; undefined where it means nothing. An arrow moves one hour there, or 24; with Shift it moves one end.
 * Where no hours of `hours` are selected, it selects the hour of `start`.
 */
export function selectionAfter(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  selection: Selection | undefined,
  { hours, start }: { readonly hours: readonly Span[]; readonly start: number },
): Selection | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  if (selection === undefined || selectedSpan(selection, hours) === undefined) return selectionOf(hourAt(start, hours));
  const place = hours.findIndex(({ from }) => from === selection.head) + step;
  const next = selectionOf(hours[Math.min(Math.max(place, 0), hours.length - 1)]);
  return next && shiftKey ? { anchor: selection.anchor, head: next.head } : next;
}

/** A selection of one hour. */
export const selectionOf = (hour: Span | undefined): Selection | undefined =>
  hour && { anchor: hour.from, head: hour.from };

/** The hour in which an instant is; the first or the last one where it is outside. */
export const hourAt = (at: number, hours: readonly Span[]): Span | undefined =>
  hours.findLast(({ from }) => from <= at) ?? hours[0];

/** The time of the selected hours; undefined where no hours are selected, or `hours` has not both ends. */
export function selectedSpan(selection: Selection | undefined, hours: readonly Span[]): Span | undefined {
  if (selection === undefined) return undefined;
  const { anchor, head } = selection;
  const first = hours.find(({ from }) => from === Math.min(anchor, head));
  const last = hours.find(({ from }) => from === Math.max(anchor, head));
  return first && last && { from: first.from, until: last.until };
}
