import {
  Escalations as EscalationsTopic,
  oneOf,
  requiredText,
  eventsOf,
  Schedules as SchedulesTopic,
  SimulatedAlert,
  simulatedAlert,
  simulatedPages,
  type SimulatedRun,
} from '@tocsin/contracts';
import { defineInternalRoute, stateRoutes, type InternalRoute } from '@tocsin/http';
import { z } from 'zod';
import type { DirectoryRequests } from '../application/directory-requests.ts';
import type { SimulateRuns } from '../application/runs/simulate-runs.ts';
import type { Catalogue } from '../domain/configuration.ts';

import { escalationMessage, scheduleMessage } from '../domain/states.ts';
import { dutyOf } from '../domain/uses.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

/** Schedules by id and by name; those that do not exist are left out of the answer. */
const WantedSchedules = z.object({ ids: z.array(z.string()), names: z.array(z.string()) });

/** What other services ask of this one. */
export function internalRoutes(
  store: ConfigurationStore,
  directoryRequests: DirectoryRequests,
  simulation: SimulateRuns,
): readonly InternalRoute[] {
  return [
    simulationRoute(simulation),
    ...stateRoutes(SchedulesTopic, async (index, values) =>
      withAny((await store.current()).schedules, index, values).map(scheduleMessage),
    ),
    ...stateRoutes(EscalationsTopic, async (index, values) =>
      withAny((await store.current()).escalations, index, values).map(escalationMessage),
    ),
    defineInternalRoute({
      method: 'POST',
      path: '/internal/schedules/duties',
      body: WantedSchedules,
      handle: async ({ body: { ids, names } }) => {
        const { schedules } = await store.current();
        const found = [...ids.map((id) => schedules.get(id)), ...names.map((name) => schedules.named(name))];
        const known = new Set(found.filter((schedule) => schedule !== undefined));
        return { body: { data: [...known].map(dutyOf) } };
      },
    }),
    ...teamRoutes(directoryRequests),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/uses',
      query: z.object({ type: oneOf(['user', 'team']), id: requiredText('Id') }),
      handle: async ({ query }) => ({ body: { data: await directoryRequests.uses(query.type, query.id) } }),
    }),
  ];
}

/** Whom the run of an alert would page, and when (0066). */
const simulationRoute = (simulation: SimulateRuns): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/simulate',
    body: SimulatedAlert,
    handle: async ({ body }) => {
      const { events, pages, truncated, verdicts } = await simulation.simulate(eventsOf(body));
      const [first, ...others] = events;
      const data: SimulatedRun = {
        ...simulatedPages(pages),
        verdicts: verdicts.map(({ at, outcome, subject, text }) => ({ at: at.toISOString(), subject, outcome, text })),
        alert: first === undefined ? body : simulatedAlert([first, ...others]),
        truncated,
      };
      return { body: { data } };
    },
  });

function teamRoutes(directoryRequests: DirectoryRequests): readonly InternalRoute[] {
  return [
    defineInternalRoute({
      method: 'PUT',
      path: '/internal/teams/:teamId/defaults',
      body: z.object({ teamName: requiredText('Team name') }),
      handle: async ({ params, body }) => ({
        body: { data: await directoryRequests.provide(params['teamId'] ?? '', body.teamName) },
      }),
    }),
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/teams/:teamId/defaults',
      handle: async ({ params }) => {
        await directoryRequests.withdraw(params['teamId'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/teams/:teamId',
      handle: async ({ params }) => {
        await directoryRequests.release(params['teamId'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/teams/:teamId/participations',
      handle: async ({ params }) => ({
        body: { data: await directoryRequests.participations(params['teamId'] ?? '') },
      }),
    }),
  ];
}

/** The things with one of `values` as their id or name. */
function withAny<T extends { id: string; name: string; createdAt: Date }>(
  things: Catalogue<T>,
  index: string,
  values: readonly string[],
): readonly T[] {
  const found = values.map((value) => ({ id: things.get(value), name: things.named(value) })[index]);
  return found.filter((thing) => thing !== undefined);
}
