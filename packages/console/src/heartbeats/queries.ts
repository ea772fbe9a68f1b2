import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

export type Heartbeat = Answer<'get-heartbeat'>['data'];

/** All heartbeats. A ping has no hint, so the page reads them as often as all that has none. */
export const heartbeatsQuery = queryOptions({
  queryKey: ['heartbeats'],
  queryFn: async ({ signal }) =>
    (await call<Answer<'list-heartbeats'>>({ path: '/v2/heartbeats', signal })).data.heartbeats,
  ...liveOptions({ kinds: [] }),
});

export const heartbeatPath = (name: string): string => `/v2/heartbeats/${encodeURIComponent(name)}`;
