import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import type { SeenSchedule } from './changes.ts';
import { type OverrideWrite, type OverrideWriteResult, writeUnlessChanged } from './override-write.ts';
import { pathOf } from './queries.ts';

/** Writes an override, unless the schedule was changed since its person saw it. */
export function useOverrideWrite(
  id: string,
  onDone: () => void,
): UseMutationResult<OverrideWriteResult, Error, OverrideWrite> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (write: OverrideWrite) =>
      writeUnlessChanged(write, { read: () => readSchedule(id), send: () => send(id, write) }),
    onSuccess: async ({ changes }) => {
      if (changes.length === 0) onDone();
      await Promise.all(
        [['schedule', id], ['on-calls'], ['timeline', id], ['shifts']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
}

/** Not by the queries of the page: these can give the answer to a read that began before another person's write. */
async function readSchedule(id: string): Promise<SeenSchedule> {
  const [schedule, overrides] = await Promise.all([
    call<Answer<'get-schedule'>>({ path: pathOf(id) }),
    call<Answer<'list-overrides'>>({ path: `${pathOf(id)}/overrides` }),
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
