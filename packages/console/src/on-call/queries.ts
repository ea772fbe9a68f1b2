import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { LIVE } from '../live/use-changes.ts';

export type OnCall = Answer<'list-on-calls'>['data'][number];
export type Timeline = Answer<'get-schedule-timeline'>['data'];

/** Who is on call in each schedule now. */
export const onCallsQuery = queryOptions({
  queryKey: ['on-calls'],
  queryFn: ({ signal }) => call<Answer<'list-on-calls'>>({ path: '/v2/schedules/on-calls', signal }),
  meta: LIVE,
});

/** The shifts of a schedule for two weeks. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['timeline', id],
    queryFn: ({ signal }) =>
      call<Answer<'get-schedule-timeline'>>({
        path: `/v2/schedules/${id}/timeline`,
        query: { interval: 2, intervalUnit: 'weeks' },
        signal,
      }),
    staleTime: 60_000,
  });
