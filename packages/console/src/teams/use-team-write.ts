import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { Team } from './queries.ts';
import { type TeamWrite, type TeamWriteResult, writeTeam } from './team-write.ts';

interface TeamChange {
  readonly error: unknown;
  readonly isPending: boolean;
  /** What another person changed meanwhile; then nothing was written, and the next write overwrites it. */
  readonly changes: readonly string[];
  readonly send: (write: TeamWrite) => void;
}

interface SeenWrite {
  readonly write: TeamWrite;
  readonly seen: Team;
}

/** Writes a team, unless it was changed since its person saw it. */
export function useTeamWrite(shown: Team, onDone: (write: TeamWrite) => void): TeamChange {
  const client = useQueryClient();
  const writing: UseMutationResult<TeamWriteResult, Error, SeenWrite> = useMutation({
    mutationFn: ({ seen, write }: SeenWrite) => writeTeam(write, seen),
    onSuccess: async ({ changes }, { write }) => {
      if (changes.length === 0) onDone(write);
      // A team that is deleted has nothing to read.
      await client.invalidateQueries({ queryKey: ['teams'], ...(write.kind === 'delete' && { exact: true }) });
    },
  });
  const { data, error, isPending } = writing;
  const changes = data?.changes ?? [];
  return {
    error,
    isPending,
    changes,
    send: (write) => {
      writing.mutate({ write, seen: changes.length > 0 && data !== undefined ? data.seen : shown });
    },
  };
}
