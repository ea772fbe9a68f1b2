import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call, readText } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import { shiftsIn } from './calendar.ts';

export type OnCall = Answer<'list-on-calls'>['data'][number];
export type Timeline = Answer<'get-schedule-timeline'>['data'];
export type ForwardingRule = Answer<'list-user-forwarding-rules'>['data'][number];

/** Who is on call in each schedule now. */
export const onCallsQuery = queryOptions({
  queryKey: ['on-calls'],
  queryFn: ({ signal }) => call<Answer<'list-on-calls'>>({ path: '/v2/schedules/on-calls', signal }),
  ...liveOptions({ kinds: ['schedules', 'users', 'teams'] }),
});

/** How often shifts are read again, as their schedule may change. */
const SHIFTS_EVERY_MS = 60_000;

/**
 * The shifts of a schedule for two weeks, and its overrides, read again each minute while the page is visible.
 *
 * @param id - of the schedule
 * @param names - who is on call now: the timeline before a change of them does not belong to them
 */
export const timelineQuery = (id: string, names: readonly string[]) =>
  queryOptions({
    queryKey: ['timeline', id, ...names],
    queryFn: ({ signal }) =>
      call<Answer<'get-schedule-timeline'>>({
        path: `/v2/schedules/${id}/timeline`,
        query: { interval: 2, intervalUnit: 'weeks', expand: 'override' },
        signal,
      }),
    meta: { follows: { kinds: ['schedules'], id } },
    staleTime: SHIFTS_EVERY_MS,
    refetchInterval: SHIFTS_EVERY_MS,
  });

/** The calendar of the shifts of a user, as the API exports it. */
export const calendarPath = (username: string): string => `/v2/schedules/on-calls/${encodeURIComponent(username)}.ics`;

/** The shifts of a user in all schedules for three months: their own and those that are forwarded to them. */
export const shiftsQuery = (username: string) =>
  queryOptions({
    queryKey: ['shifts', username],
    queryFn: async ({ signal }) => shiftsIn(await readText({ path: calendarPath(username), signal })),
    meta: { follows: { kinds: ['schedules', 'users'] } },
    staleTime: SHIFTS_EVERY_MS,
    refetchInterval: SHIFTS_EVERY_MS,
  });

export const rulesPath = (username: string): string => `/v2/users/${encodeURIComponent(username)}/forwarding-rules`;

/** The rules that forward the pages of a user to others. */
export const forwardingRulesQuery = (username: string) =>
  queryOptions({
    queryKey: ['forwarding-rules', username],
    queryFn: async ({ signal }) =>
      (await call<Answer<'list-user-forwarding-rules'>>({ path: rulesPath(username), signal })).data,
    refetchInterval: SHIFTS_EVERY_MS,
    retry: false,
  });
