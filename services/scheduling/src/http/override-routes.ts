import { CreateOverrideBody, SchedulePartQuery, UpdateOverrideBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { Overrides } from '../application/overrides.ts';
import type { Schedules } from '../application/schedules.ts';
import { callerOf, scheduleOf } from './input.ts';
import { parentView } from './on-call-views.ts';
import { overrideUsers, overrideView } from './override-views.ts';

const aliasOf = (params: Readonly<Record<string, string | undefined>>) => params['alias'] ?? '';

/** Part 2, 4.5. */
export function overrideRoutes(overrides: Overrides, schedules: Schedules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-override',
      query: SchedulePartQuery,
      body: CreateOverrideBody,
      handle: async ({ params, query, body, principal }) => {
        const { alias } = await overrides.create(scheduleOf(params, query), body, callerOf(principal));
        return { status: 201, body: { result: 'Created', data: { alias } } };
      },
    }),
    defineRoute({
      operation: 'list-overrides',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(scheduleOf(params, query), callerOf(principal));
        const snapshot = await snapshots.withNamesOf(overrideUsers(schedule.overrides));
        return {
          body: { data: schedule.overrides.values().map((override) => overrideView(override, schedule, snapshot)) },
        };
      },
    }),
    defineRoute({
      operation: 'get-override',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const found = await overrides.get(scheduleOf(params, query), aliasOf(params), callerOf(principal));
        const { schedule, override } = found;
        const snapshot = await snapshots.withNamesOf(overrideUsers([override]));
        return { body: { data: { _parent: parentView(schedule), ...overrideView(override, schedule, snapshot) } } };
      },
    }),
    defineRoute({
      operation: 'update-override',
      query: SchedulePartQuery,
      body: UpdateOverrideBody,
      handle: async ({ params, query, body, principal }) => {
        const of = scheduleOf(params, query);
        const { alias } = await overrides.replace(of, aliasOf(params), body, callerOf(principal));
        return { body: { result: 'Updated', data: { alias } } };
      },
    }),
    defineRoute({
      operation: 'delete-override',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        await overrides.delete(scheduleOf(params, query), aliasOf(params), callerOf(principal));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
