import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';

/** Who was paged of an alert and why; with a user, why that one was or was not. */
export const explanationQuery = (id: string, user?: string) =>
  queryOptions({
    queryKey: ['alert', id, 'explanation', user ?? ''],
    queryFn: ({ signal }) =>
      call<Answer<'explain-alert'>>({
        path: `/v2/alerts/${encodeURIComponent(id)}/explanation`,
        query: { user },
        signal,
      }),
  });
