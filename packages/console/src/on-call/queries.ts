import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

export type OnCall = Answer<'list-on-calls'>['data'][number];
export type Timeline = Answer<'get-schedule-timeline'>['data'];

/** Who is on call in each schedule now. */
export const onCallsQuery = queryOptions({
  queryKey: ['on-calls'],
  queryFn: ({ signal }) => call<Answer<'list-on-calls'>>({ path: '/v2/schedules/on-calls', signal }),
  ...liveOptions({ kinds: ['schedules', 'users', 'teams'] }),
});

/** How often a timeline is read again, as its schedule may change. */
const TIMELINE_EVERY_MS = 60_000;

/**
 * The shifts of a schedule for two weeks, read again each minute while the page is visible.
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
        query: { interval: 2, intervalUnit: 'weeks' },
        signal,
      }),
    meta: { follows: { kinds: ['schedules'], id } },
    staleTime: TIMELINE_EVERY_MS,
    refetchInterval: TIMELINE_EVERY_MS,
  });
