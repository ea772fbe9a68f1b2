import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import type { Range } from './range.ts';
import { type CalendarDate, firstInstantOf, midnightOf } from './zone.ts';

export type Schedule = Answer<'get-schedule'>['data'];
export type Timeline = Answer<'get-schedule-timeline'>['data'];

/** All schedules, without their rotations. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: ({ signal }) => call<Answer<'list-schedules'>>({ path: '/v2/schedules', signal }),
});

const pathOf = (id: string) => `/v2/schedules/${encodeURIComponent(id)}`;

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id],
    queryFn: ({ signal }) => call<Answer<'get-schedule'>>({ path: pathOf(id), signal }),
    ...liveOptions({ kinds: ['schedules'], id }),
  });

/** All layers of a schedule from the midnight of a date on; `zone` is that of the schedule. */
export const planQuery = (id: string, zone: string, date: CalendarDate, { interval, key, unit }: Range) =>
  queryOptions({
    queryKey: ['schedule', id, 'timeline', zone, date, key],
    queryFn: ({ signal }) =>
      call<Answer<'get-schedule-timeline'>>({
        path: `${pathOf(id)}/timeline`,
        query: {
          interval,
          intervalUnit: unit,
          expand: 'base,forwarding,override',
          date: new Date(firstInstantOf(midnightOf(date) ?? 0, zone)).toISOString(),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    ...liveOptions({ kinds: ['schedules'], id }),
  });
