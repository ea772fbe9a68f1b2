import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { meKey } from './queries.ts';

/** Writes something of a user, and shows what the server has of them afterwards, also where the write failed: its answer can be lost. */
export function useOwnWrite<Input = void, Result = unknown>(
  userId: string,
  write: (input: Input) => Promise<Result>,
  onDone: (result: Result) => void,
): UseMutationResult<Result, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: meKey(userId) }),
  });
}
