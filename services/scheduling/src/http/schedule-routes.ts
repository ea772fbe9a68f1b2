import { CreateScheduleBody, IdentifierQuery, ListSchedulesQuery, UpdateScheduleBody } from '@tocsin/contracts';
import { defineRoute, type Reply, type Route } from '@tocsin/http';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { Schedules } from '../application/schedules.ts';
import type { Schedule } from '../domain/schedule.ts';
import { callerOf, identifierOf } from './input.ts';
import { scheduleView } from './views.ts';

const summary = ({ id, name, enabled }: Schedule) => ({ id, name, enabled });

/** The answer to a GET of one schedule. */
export async function scheduleAnswer(schedule: Schedule, snapshots: Snapshots): Promise<Reply> {
  const snapshot = await snapshots.withNamesIn([schedule]);
  return { body: { data: scheduleView(schedule, snapshot, { rotations: true }) } };
}

/** Part 2, 4.3, and the schedules of one user (part 3, 4.1). */
export function scheduleRoutes(schedules: Schedules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-schedule',
      body: CreateScheduleBody,
      handle: async ({ body, principal }) => {
        const created = await schedules.create(body, callerOf(principal));
        return { status: 201, body: { result: 'Created', data: summary(created) } };
      },
    }),
    defineRoute({
      operation: 'get-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(identifierOf(params['identifier'], query), callerOf(principal));
        return scheduleAnswer(schedule, snapshots);
      },
    }),
    defineRoute({
      operation: 'list-schedules',
      query: ListSchedulesQuery,
      handle: async ({ query, principal }) => {
        const listed = await schedules.list(callerOf(principal));
        const snapshot = await snapshots.withNamesIn(listed);
        const data = listed.values().map((schedule) => scheduleView(schedule, snapshot, { rotations: query.expand }));
        return { body: { expandable: ['rotation'], data } };
      },
    }),
    defineRoute({
      operation: 'list-user-schedules',
      handle: async ({ params, principal }) => {
        const listed = await schedules.ofUser(params['identifier'] ?? '', callerOf(principal));
        return { body: { data: listed.values().map(summary) } };
      },
    }),
    defineRoute({
      operation: 'update-schedule',
      query: IdentifierQuery,
      body: UpdateScheduleBody,
      handle: async ({ params, query, body, principal }) => {
        const updated = await schedules.update(identifierOf(params['identifier'], query), body, callerOf(principal));
        return { body: { result: 'Updated', data: summary(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        await schedules.delete(identifierOf(params['identifier'], query), callerOf(principal));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
