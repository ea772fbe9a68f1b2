import { stretchesOf } from '../schedules/stretches.ts';
import type { Span } from '../schedules/zone.ts';
import type { Timeline } from './queries.ts';

export interface Shift extends Span {
  /** Who is on call, by name; empty where no one is. */
  readonly names: readonly string[];
}

/** Who is on call over a timeline, from `now` on: a shift for each time in which the same people are on call. */
export function shiftsFrom(timeline: Pick<Timeline, 'finalTimeline' | 'endDate'>, now: number): readonly Shift[] {
  const range = { from: now, until: Date.parse(timeline.endDate) };
  const shifts: Shift[] = [];
  for (const { from, names, until } of stretchesOf([timeline.finalTimeline], range)) {
    const last = shifts.at(-1);
    if (last?.names.join('\n') === names.join('\n')) shifts[shifts.length - 1] = { ...last, until };
    else shifts.push({ names, from, until });
  }
  return shifts;
}
