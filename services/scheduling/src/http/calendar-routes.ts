import type { Clock } from '@tocsin/clock';
import { IdentifierQuery } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import { defineRoute, type Route } from '@tocsin/http';
import type { Calendars } from '../application/calendars.ts';
import type { Caller, Identifier } from '../application/caller.ts';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { Schedules } from '../application/schedules.ts';
import type { Schedule } from '../domain/schedule.ts';
import { calendarFile } from './calendar-view.ts';
import { callerOf, identifierOf } from './input.ts';
import { scheduleAnswer } from './schedule-routes.ts';

/** Part 2, 4.3 and 4.6: the paths that end in `.ics`. */
export function calendarRoutes(
  calendars: Calendars,
  schedules: Schedules,
  snapshots: Snapshots,
  clock: Clock,
): readonly Route[] {
  return [
    defineRoute({
      operation: 'export-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const [now, caller] = [clock.now(), callerOf(principal)];
        const identifier = identifierOf(params['identifier'], query);
        try {
          return await calendarFile(await calendars.ofSchedule(identifier, now, caller), now);
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
          const schedule = await calledLikeCalendar(schedules, identifier, caller);
          if (schedule === undefined) throw error;
          return scheduleAnswer(schedule, snapshots);
        }
      },
    }),
    defineRoute({
      operation: 'export-on-calls',
      handle: async ({ params, principal }) => {
        const now = clock.now();
        return await calendarFile(await calendars.ofUser(params['identifier'] ?? '', now, callerOf(principal)), now);
      },
    }),
  ];
}

/** The schedule whose name itself ends in `.ics`, where the path of a calendar meant that name. */
async function calledLikeCalendar(
  schedules: Schedules,
  { type, value }: Identifier,
  caller: Caller,
): Promise<Schedule | undefined> {
  if (type !== 'name') return undefined;
  return schedules.get({ type, value: `${value}.ics` }, caller).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}
