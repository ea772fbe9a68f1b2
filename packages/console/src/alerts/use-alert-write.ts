import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { type AlertWrite, writeAlert } from './alert-write.ts';

interface WriteResult {
  readonly write: AlertWrite;
  /** Why it did not happen; undefined where it did. */
  readonly fault: string | undefined;
}

/** Sends a write, and shows what the server has afterwards. */
export function useAlertWrite(onDone: (write: AlertWrite) => void): UseMutationResult<WriteResult, Error, AlertWrite> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (write: AlertWrite) => ({ write, fault: await writeAlert(write) }),
    onSuccess: async ({ fault, write }) => {
      await client.invalidateQueries({ queryKey: ['alert', write.id] });
      await client.invalidateQueries({ queryKey: ['alerts'], refetchType: 'none' });
      if (fault === undefined) onDone(write);
    },
    onError: async (error, { id }) => {
      // The log says whether it was accepted.
      if (error instanceof CallError && error.mayBeAccepted)
        await client.invalidateQueries({ queryKey: ['alert', id] });
    },
  });
}
