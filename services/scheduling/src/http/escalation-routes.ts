import { CreateEscalationBody, IdentifierQuery, UpdateEscalationBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { Escalations } from '../application/escalations.ts';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { Escalation } from '../domain/escalation.ts';
import { callerOf, identifierOf } from './input.ts';
import { escalationView } from './views.ts';

const written = ({ id, name }: Escalation) => ({ id, name });

/** Part 2, 4.6a, and the escalations of one user (part 3, 4.1). */
export function escalationRoutes(escalations: Escalations, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-escalation',
      body: CreateEscalationBody,
      handle: async ({ body, principal }) => {
        const created = await escalations.create(body, callerOf(principal));
        return { status: 201, body: { result: 'Created', data: written(created) } };
      },
    }),
    defineRoute({
      operation: 'get-escalation',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const escalation = await escalations.get(identifierOf(params['identifier'], query), callerOf(principal));
        return { body: { data: escalationView(escalation, await snapshots.withNamesIn([escalation])) } };
      },
    }),
    defineRoute({
      operation: 'list-escalations',
      handle: async ({ principal }) => listed(await escalations.list(callerOf(principal)), snapshots),
    }),
    defineRoute({
      operation: 'list-user-escalations',
      handle: async ({ params, principal }) =>
        listed(await escalations.ofUser(params['identifier'] ?? '', callerOf(principal)), snapshots),
    }),
    defineRoute({
      operation: 'update-escalation',
      query: IdentifierQuery,
      body: UpdateEscalationBody,
      handle: async ({ params, query, body, principal }) => {
        const updated = await escalations.update(identifierOf(params['identifier'], query), body, callerOf(principal));
        return { body: { result: 'Updated', data: written(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-escalation',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        await escalations.delete(identifierOf(params['identifier'], query), callerOf(principal));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

async function listed(escalations: readonly Escalation[], snapshots: Snapshots) {
  const snapshot = await snapshots.withNamesIn(escalations);
  return { body: { data: escalations.values().map((escalation) => escalationView(escalation, snapshot)) } };
}
