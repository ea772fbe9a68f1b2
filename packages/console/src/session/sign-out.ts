import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { sessionQuery } from './session.ts';

/** Ends the session, and forgets all that was read with it. */
export function useSignOut(): UseMutationResult<void, Error, void> {
  const client = useQueryClient();
  const go = useGo();
  return useMutation({
    mutationFn: async () => {
      try {
        await call({ method: 'POST', path: '/console/api/sign-out' });
      } catch (error) {
        // A session that has ended is signed out.
        if (!(error instanceof CallError && error.failure === 'ended')) throw error;
      }
    },
    onSuccess: async () => {
      await client.cancelQueries();
      client.clear();
      client.setQueryData(sessionQuery.queryKey, null);
      go(paths.signIn());
    },
  });
}
