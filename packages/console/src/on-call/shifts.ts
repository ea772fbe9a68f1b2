import { isGap, noOneOf, stretchesOf } from '../schedules/stretches.ts';
import type { Span } from '../schedules/zone.ts';
import type { Timeline } from './queries.ts';

export interface Shift extends Span {
  /** Who is on call, by name; empty where no one is. */
  readonly names: readonly string[];
  /** Whether no one is, and no override asks for that. */
  readonly isGap: boolean;
}

type ShownTimeline = Pick<Timeline, 'finalTimeline' | 'overrideTimeline' | 'endDate'>;

/** Who is on call over a timeline, from `now` on: a shift for each time in which the same people are on call. */
export function shiftsFrom({ endDate, finalTimeline, overrideTimeline }: ShownTimeline, now: number): readonly Shift[] {
  const range = { from: now, until: Date.parse(endDate) };
  const shifts: Shift[] = [];
  for (const stretch of stretchesOf([finalTimeline, noOneOf(overrideTimeline)], range)) {
    const { from, names, until } = stretch;
    const last = shifts.at(-1);
    const isSame = last?.names.join('\n') === names.join('\n') && last.isGap === isGap(stretch);
    if (isSame) shifts[shifts.length - 1] = { ...last, until };
    else shifts.push({ names, from, until, isGap: isGap(stretch) });
  }
  return shifts;
}
