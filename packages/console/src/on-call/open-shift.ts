import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/server-clock.ts';
import { type OpenedOverride, typedBefore } from '../schedules/opened.ts';
import { pathOf } from '../schedules/queries.ts';
import { dateAt, firstInstantOf, midnightOf } from '../schedules/zone.ts';
import type { CalendarShift } from './calendar.ts';
import { handOverTask, rotationsOf, spanLeft, spanOfRotations } from './hand-over.ts';
import type { OnCall } from './queries.ts';

const DAY_MS = 86_400_000;
/** The longest timeline of days. */
const MAX_DAYS = 366;

/** The days of the timeline that has all of a shift. The first may have 23 hours. */
const daysUntil = (until: number, midnight: number): number =>
  Math.min(Math.ceil((until - midnight) / DAY_MS) + 1, MAX_DAYS);

/** The id of a schedule, by its name. */
export const scheduleIdOf = (onCalls: readonly OnCall[], name: string): string | undefined =>
  onCalls.find(({ _parent }) => _parent.name === name)?._parent.id;

/**
 * Reads the schedule of a shift for the dialog of an override that hands it over. What was typed there before is in it.
 *
 * @throws CallError where the schedule cannot be read, or there is none of that name any more.
 */
export async function openShift(
  shift: CalendarShift,
  onCalls: readonly OnCall[],
  username: string,
): Promise<OpenedOverride> {
  const id = scheduleIdOf(onCalls, shift.schedule);
  if (id === undefined) throw new CallError({ status: 404, message: `There is no schedule ${shift.schedule} now.` });
  const typed = typedBefore(id);
  if (typed?.kind === 'override') return typed;
  const [{ data: schedule }, { data: overrides }] = await Promise.all([
    call<Answer<'get-schedule'>>({ path: pathOf(id) }),
    call<Answer<'list-overrides'>>({ path: `${pathOf(id)}/overrides` }),
  ]);
  const left = spanLeft(shift, serverNow());
  const zone = schedule.timezone;
  const midnight = firstInstantOf(midnightOf(dateAt(left.from, zone)) ?? 0, zone);
  const { data: timeline } = await call<Answer<'get-schedule-timeline'>>({
    path: `${pathOf(id)}/timeline`,
    query: { interval: daysUntil(left.until, midnight), intervalUnit: 'days', date: new Date(midnight).toISOString() },
  });
  const span = spanOfRotations(timeline, username, left);
  const task = handOverTask({ schedule, span, username, rotations: rotationsOf(timeline, username, span.from) });
  return { kind: 'override', seen: { schedule, overrides }, task };
}
