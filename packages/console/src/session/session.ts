import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';

export type CurrentSession = Answer<'get-session'>['data'];

/** Who is signed in, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<CurrentSession | null> => {
    try {
      return (await call<Answer<'get-session'>>({ path: '/console/api/session', signal })).data;
    } catch (error) {
      if (error instanceof CallError && error.failure === 'ended') return null;
      throw error;
    }
  },
});
