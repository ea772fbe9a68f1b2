import { type QueryClient, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { changesBetween, type SeenSchedule } from './changes.ts';
import { type OverrideBody, overridesQuery, pathOf, scheduleQuery } from './queries.ts';

/** A write of an override, and what its person saw of the schedule. */
export type OverrideWrite = { readonly seen: SeenSchedule } & (
  | { readonly kind: 'create' | 'replace'; readonly body: OverrideBody }
  | { readonly kind: 'delete'; readonly alias: string }
);

/** What another person changed before the write, which was not sent then; nothing where it was sent. */
export interface OverrideWriteResult {
  readonly changes: readonly string[];
  /** What the schedule is now. */
  readonly seen: SeenSchedule;
}

/** Writes an override, unless the schedule was changed since its person saw it: the API has no version that would tell. */
export function useOverrideWrite(
  id: string,
  onDone: () => void,
): UseMutationResult<OverrideWriteResult, Error, OverrideWrite> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (write: OverrideWrite): Promise<OverrideWriteResult> => {
      const seen = await readSchedule(client, id);
      const changes = changesBetween(write.seen, seen);
      if (changes.length === 0) await send(id, write);
      return { changes, seen };
    },
    onSuccess: async ({ changes }) => {
      if (changes.length === 0) onDone();
      await Promise.all(
        [['schedule', id], ['on-calls'], ['timeline', id]].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
}

async function readSchedule(client: QueryClient, id: string): Promise<SeenSchedule> {
  const [schedule, overrides] = await Promise.all([
    client.query({ ...scheduleQuery(id), staleTime: 0 }),
    client.query({ ...overridesQuery(id), staleTime: 0 }),
  ]);
  return { schedule: schedule.data, overrides: overrides.data };
}

async function send(id: string, write: OverrideWrite): Promise<void> {
  const path = `${pathOf(id)}/overrides`;
  if (write.kind === 'create') {
    await call<Answer<'create-override'>>({ method: 'POST', path, body: write.body });
    return;
  }
  const one = `${path}/${encodeURIComponent(write.kind === 'delete' ? write.alias : write.body.alias)}`;
  if (write.kind === 'delete') await call<Answer<'delete-override'>>({ method: 'DELETE', path: one });
  else await call<Answer<'update-override'>>({ method: 'PUT', path: one, body: write.body });
}
