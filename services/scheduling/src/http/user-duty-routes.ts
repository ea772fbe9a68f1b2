import { defineRoute, type Route } from '@tocsin/http';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { UserDuties } from '../application/user-duties.ts';
import { callerOf } from './input.ts';
import { escalationView } from './views.ts';

/** Part 3, 4.1: what scheduling knows about a user. */
export function userDutyRoutes(duties: UserDuties, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-user-schedules',
      handle: async ({ params, principal }) => {
        const schedules = await duties.schedules(params['identifier'] ?? '', callerOf(principal));
        return { body: { data: schedules.map(({ id, name, enabled }) => ({ id, name, enabled })) } };
      },
    }),
    defineRoute({
      operation: 'list-user-escalations',
      handle: async ({ params, principal }) => {
        const escalations = await duties.escalations(params['identifier'] ?? '', callerOf(principal));
        const snapshot = await snapshots.about(escalations);
        return { body: { data: escalations.map((escalation) => escalationView(escalation, snapshot)) } };
      },
    }),
  ];
}
