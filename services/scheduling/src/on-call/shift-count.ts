import { finished, type Steps } from '@tocsin/core';
import type { Forwardings } from '../forwarding/forwarding.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { rotationLayersOf, type UserSet } from './rotation-layer.ts';
import { MINUTE_MS, type Span } from './span.ts';

/** Roughly the most shifts that are drawn of a schedule at once: the same process pages users. */
export const MAX_SHIFTS = 50_000;

/** Roughly the most shifts that one step draws. The event loop runs between steps, because the same process pages users. */
export const MAX_SHIFTS_PER_STEP = 500;

/** The count of shifts stops here. */
const SHIFT_COUNT_LIMIT = 10 * MAX_SHIFTS;

/** Roughly how many shifts a timeline of `schedule` has. Layers with the same users share the count of forwardings. */
export const maxShifts = (schedule: Schedule, range: Span, forwardings: Forwardings): number =>
  finished(maxShiftsSteps(schedule, range, forwardings));

/** As {@link maxShifts}. */
export function* maxShiftsSteps(schedule: Schedule, range: Span, forwardings: Forwardings): Steps<number> {
  const counted = new Map<string, number>();
  const known: Parameters<Forwardings['maxChanges']>[2] = new Map();
  const changesFor = ({ ids, key }: UserSet): number => {
    const changes = counted.get(key) ?? forwardings.maxChanges(ids, range, known);
    counted.set(key, changes);
    return changes;
  };
  let sum = 0;
  for (const rotationLayer of rotationLayersOf(schedule)) {
    sum += rotationLayer.maxShifts(range, changesFor);
    if (sum > SHIFT_COUNT_LIMIT) break;
    yield;
  }
  return sum;
}

/** The end of the first part of `range` of which a timeline has roughly `maxCount` shifts at most; at least a minute after its start. */
export function* endWithinShiftsSteps(
  schedule: Schedule,
  range: Span,
  forwardings: Forwardings,
  maxCount = MAX_SHIFTS,
): Steps<number> {
  let { until } = range;
  while (until - range.from > MINUTE_MS) {
    const excess = (yield* maxShiftsSteps(schedule, { from: range.from, until }, forwardings)) / maxCount;
    if (excess <= 1.1) break;
    // If most overrides and forwarding rules are at the beginning of the range, even a smaller part has too many shifts.
    until = range.from + Math.ceil((until - range.from) / Math.max(1.5, excess));
  }
  return until;
}
