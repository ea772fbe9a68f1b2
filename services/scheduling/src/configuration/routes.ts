import { Escalations as EscalationsTopic, listOf, Schedules as SchedulesTopic } from '@tocsin/events';
import { defineInternalRoute, stateRoutes, type InternalRoute } from '@tocsin/http';
import { z } from 'zod';
import type { Catalogue, ConfigurationAccess } from './configuration.ts';
import { type Escalation, escalationMessage } from '../escalations/escalation.ts';
import { type Schedule, scheduleMessage } from '../schedules/schedule.ts';
import { scheduleMembers } from './uses.ts';

/** Schedules by id and by name, 1000 of each at most; those that do not exist are left out of the answer. */
const WantedSchedules = z.object({ ids: listOf(z.string()), names: listOf(z.string()) });

/** The parts of schedules and escalations that other services read. */
export function configurationRoutes(store: ConfigurationAccess): readonly InternalRoute[] {
  return [
    ...stateRoutes(SchedulesTopic, async (index, values) =>
      withAny((await store.current()).schedules, index, values).map(scheduleMessage),
    ),
    ...stateRoutes(EscalationsTopic, async (index, values) =>
      withAny((await store.current()).escalations, index, values).map(escalationMessage),
    ),
    defineInternalRoute({
      method: 'POST',
      path: '/internal/schedules/participations',
      body: WantedSchedules,
      handle: async ({ body: { ids, names } }) => {
        const { schedules } = await store.current();
        const found = [...ids.map((id) => schedules.get(id)), ...names.map((name) => schedules.named(name))];
        const known = new Set(found.filter((schedule) => schedule !== undefined));
        return { body: { data: [...known].map(scheduleMembers) } };
      },
    }),
  ];
}

/** The things with one of `values` as their id or name. */
function withAny<T extends Schedule | Escalation>(
  things: Catalogue<T>,
  index: string,
  values: readonly string[],
): readonly T[] {
  const found = values.map((value) => ({ id: things.get(value), name: things.named(value) })[index]);
  return found.filter((thing) => thing !== undefined);
}
