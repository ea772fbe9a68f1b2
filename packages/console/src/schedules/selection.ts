import { daysOf, hoursOf, type Span } from './zone.ts';

/** Hours that are selected, by their places in the list of {@link marksOf}: from one up to the other, both included. */
export interface Selection {
  readonly anchor: number;
  readonly head: number;
}

/** Where the hours of a range begin, by the clocks of `zone`, and where the last one ends. */
export function marksOf(range: Span, zone: string): readonly number[] {
  const hours = daysOf(range, zone).flatMap((day) => hoursOf(day, zone));
  return [...new Set([range.from, ...hours, range.until])];
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 24, ArrowUp: -24 };

/**
 * What a key makes of a selection; undefined where it means nothing. An arrow moves one hour there, or 24; with Shift it moves one end. A
 * first selection is the hour of `start`.
 */
export function selectionAfter(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  selection: Selection | undefined,
  { marks, start }: { readonly marks: readonly number[]; readonly start: number },
): Selection | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const most = Math.max(marks.length - 2, 0);
  if (selection === undefined) return { anchor: placeOf(start, marks), head: placeOf(start, marks) };
  const head = Math.min(Math.max(selection.head + step, 0), most);
  return { anchor: shiftKey ? selection.anchor : head, head };
}

/** The place of the hour in which an instant is; that of the first or last one where it is outside. */
export function placeOf(at: number, marks: readonly number[]): number {
  let [low, high] = [0, Math.max(marks.length - 2, 0)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((marks[middle] ?? Infinity) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The time of the selected hours. */
export function selectedSpan({ anchor, head }: Selection, marks: readonly number[]): Span {
  const [from, until] = [marks[Math.min(anchor, head)], marks[Math.max(anchor, head) + 1]];
  return { from: from ?? 0, until: until ?? marks.at(-1) ?? 0 };
}
