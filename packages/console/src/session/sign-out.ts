import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { leave } from './leave.ts';

/** Ends the session, and forgets all that was read with it. */
export function useSignOut(): UseMutationResult<void, Error, void> {
  return useMutation({
    mutationFn: async () => {
      try {
        await call({ method: 'POST', path: '/console/api/sign-out' });
      } catch (error) {
        // A session that has ended is signed out.
        if (!(error instanceof CallError && error.failure === 'ended')) throw error;
      }
    },
    onSuccess: leave,
  });
}
