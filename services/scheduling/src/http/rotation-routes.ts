import { CreateRotationBody, SchedulePartQuery, UpdateRotationBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { Rotations } from '../application/rotations.ts';
import type { Schedules } from '../application/schedules.ts';
import type { Rotation } from '../domain/schedule.ts';
import { callerOf, scheduleOf } from './input.ts';
import { parentView } from './on-call-views.ts';
import { rotationView } from './views.ts';

const written = ({ id, name }: Rotation) => ({ id, name });

const idOf = (params: Readonly<Record<string, string | undefined>>) => params['id'] ?? '';

/** Part 2, 4.4. */
export function rotationRoutes(rotations: Rotations, schedules: Schedules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-rotation',
      query: SchedulePartQuery,
      body: CreateRotationBody,
      handle: async ({ params, query, body, principal }) => {
        const created = await rotations.create(scheduleOf(params, query), body, callerOf(principal));
        return { status: 201, body: { result: 'Created', data: written(created) } };
      },
    }),
    defineRoute({
      operation: 'get-rotation',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const found = await rotations.get(scheduleOf(params, query), idOf(params), callerOf(principal));
        const { schedule, rotation } = found;
        const snapshot = await snapshots.withNamesIn([{ ...schedule, rotations: [rotation] }]);
        return { body: { data: { _parent: parentView(schedule), ...rotationView(rotation, snapshot) } } };
      },
    }),
    defineRoute({
      operation: 'list-rotations',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        const schedule = await schedules.get(scheduleOf(params, query), callerOf(principal));
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
        const updated = await rotations.update(of, idOf(params), body, callerOf(principal));
        return { body: { result: 'Updated', data: written(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-rotation',
      query: SchedulePartQuery,
      handle: async ({ params, query, principal }) => {
        await rotations.delete(scheduleOf(params, query), idOf(params), callerOf(principal));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
