import type { Clock } from '@tocsin/clock';
import { IdentifierQuery } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { Calendars } from '../application/calendars.ts';
import { calendarFile } from './calendar-view.ts';
import { callerOf, identifierOf } from './input.ts';

/** Part 2, 4.3 and 4.6: the paths that end in `.ics`. */
export function calendarRoutes(calendars: Calendars, clock: Clock): readonly Route[] {
  return [
    defineRoute({
      operation: 'export-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const now = clock.now();
        const identifier = identifierOf(params['identifier'], query);
        return calendarFile(await calendars.ofSchedule(identifier, now, callerOf(principal)), now);
      },
    }),
    defineRoute({
      operation: 'export-on-calls',
      handle: async ({ params, principal }) => {
        const now = clock.now();
        return calendarFile(await calendars.ofUser(params['identifier'] ?? '', now, callerOf(principal)), now);
      },
    }),
  ];
}
