import {
  CreateOverrideBody,
  CreateRotationBody,
  CreateScheduleBody,
  IdentifierQuery,
  ImportScheduleBody,
  ListSchedulesQuery,
  SchedulePartQuery,
  UpdateOverrideBody,
  UpdateRotationBody,
  UpdateScheduleBody,
} from '@tocsin/api';
import { defineRoute, importedAs, importRoute, type ReplyOf, type Route } from '@tocsin/http';
import { identifierOf, scheduleOf } from '../configuration/reference-operations.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import type { Schedules } from './operations.ts';
import type { Overrides } from './override-operations.ts';
import type { Rotations } from './rotation-operations.ts';
import type { Rotation, Schedule } from './schedule.ts';
import { overrideUsers, overrideView, parentView, rotationView, scheduleView } from './views.ts';

const summary = ({ id, name, enabled }: Schedule) => ({ id, name, enabled });

/** The answer to a GET of one schedule. */
export async function scheduleAnswer(schedule: Schedule, snapshots: Snapshots): Promise<ReplyOf<'get-schedule'>> {
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
        const created = await schedules.create(body, principal);
        return { status: 201, body: { result: 'Created', data: summary(created) } };
      },
    }),
    defineRoute({
      operation: 'get-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(identifierOf(params['identifier'], query), principal);
        return scheduleAnswer(schedule, snapshots);
      },
    }),
    defineRoute({
      operation: 'list-schedules',
      query: ListSchedulesQuery,
      handle: async ({ query, principal }) => {
        const listed = await schedules.list(principal);
        const snapshot = await snapshots.withNamesIn(listed);
        const data = listed.values().map((schedule) => scheduleView(schedule, snapshot, { rotations: query.expand }));
        return { body: { expandable: ['rotation'], data } };
      },
    }),
    defineRoute({
      operation: 'list-user-schedules',
      handle: async ({ params, principal }) => {
        const listed = await schedules.ofUser(params['identifier'] ?? '', principal);
        return { body: { data: listed.values().map(summary) } };
      },
    }),
    defineRoute({
      operation: 'update-schedule',
      query: IdentifierQuery,
      body: UpdateScheduleBody,
      handle: async ({ params, query, body, principal }) => {
        const updated = await schedules.update(identifierOf(params['identifier'], query), body, principal);
        return { body: { result: 'Updated', data: summary(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-schedule',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        await schedules.delete(identifierOf(params['identifier'], query), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    importRoute({
      operation: 'import-schedule',
      body: ImportScheduleBody,
      put: async (id, body, caller) => importedAs(await schedules.put(id, body, caller)),
    }),
  ];
}

const idAndName = ({ id, name }: Rotation) => ({ id, name });

const idOf = (params: Readonly<Record<string, string | undefined>>) => params['id'] ?? '';

/** Part 2, 4.4. */
export function rotationRoutes(rotations: Rotations, schedules: Schedules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-rotation',
      query: SchedulePartQuery,
      body: CreateRotationBody,
      handle: async ({ params, query, body, principal }) => {
        const created = await rotations.create(scheduleOf(params, query), body, principal);
        return { status: 201, body: { result: 'Created', data: idAndName(created) } };
      },
    }),
    defineRoute({
      operation: 'get-rotation',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const found = await rotations.get(scheduleOf(params, query), idOf(params), principal);
        const { schedule, rotation } = found;
        const snapshot = await snapshots.withNamesIn([{ ...schedule, rotations: [rotation] }]);
        return { body: { data: { _parent: parentView(schedule), ...rotationView(rotation, snapshot) } } };
      },
    }),
    defineRoute({
      operation: 'list-rotations',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(scheduleOf(params, query), principal);
        const snapshot = await snapshots.withNamesIn([schedule]);
        return { body: { data: schedule.rotations.values().map((rotation) => rotationView(rotation, snapshot)) } };
      },
    }),
    defineRoute({
      operation: 'update-rotation',
      query: SchedulePartQuery,
      body: UpdateRotationBody,
      handle: async ({ params, query, body, principal }) => {
        const of = scheduleOf(params, query);
        const updated = await rotations.update(of, idOf(params), body, principal);
        return { body: { result: 'Updated', data: idAndName(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-rotation',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        await rotations.delete(scheduleOf(params, query), idOf(params), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

const aliasOf = (params: Readonly<Record<string, string | undefined>>) => params['alias'] ?? '';

/** Part 2, 4.5. */
export function overrideRoutes(overrides: Overrides, schedules: Schedules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-override',
      query: SchedulePartQuery,
      body: CreateOverrideBody,
      handle: async ({ params, query, body, principal }) => {
        const { alias } = await overrides.create(scheduleOf(params, query), body, principal);
        return { status: 201, body: { result: 'Created', data: { alias } } };
      },
    }),
    defineRoute({
      operation: 'list-overrides',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(scheduleOf(params, query), principal);
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
        const found = await overrides.get(scheduleOf(params, query), aliasOf(params), principal);
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
        const { alias } = await overrides.replace(of, aliasOf(params), body, principal);
        return { body: { result: 'Updated', data: { alias } } };
      },
    }),
    defineRoute({
      operation: 'delete-override',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        await overrides.delete(scheduleOf(params, query), aliasOf(params), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
