import { useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { type GuardedWrite, useGuardedWrite } from '../api/guarded-write.ts';
import { scheduleChanges } from './changes.ts';
import { pathOf, type Schedule } from './queries.ts';

/** All that shows a schedule or what follows from it, the lists of its team too. */
const CHANGED = [['schedules'], ['on-calls'], ['timeline'], ['shifts'], ['teams']];

/** Reads again what shows a schedule. */
export function useScheduleInvalidation(): (id: string) => Promise<void> {
  const client = useQueryClient();
  return async (id) => {
    await Promise.all([['schedule', id], ...CHANGED].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}

/** Writes a schedule or its rotations, unless another person changed it since its person saw it. */
export function useScheduleWrite(seen: Schedule, onDone: () => void): GuardedWrite<Schedule> {
  const invalidate = useScheduleInvalidation();
  return useGuardedWrite(seen, {
    // Not by the query of the page: that can give the answer to a read that began before another person's write.
    read: async () => (await call<Answer<'get-schedule'>>({ path: pathOf(seen.id) })).data,
    changesBetween: scheduleChanges,
    onDone: async () => {
      onDone();
      await invalidate(seen.id);
    },
  });
}
