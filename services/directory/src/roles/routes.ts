import { RoleBody, RoleQuery } from '@tocsin/api';
import { defineRoute, importedAs, importRoute, type Route } from '@tocsin/http';
import { referenceOf } from '../references/reference.ts';
import type { Roles } from './operations.ts';
import type { CustomRole } from './role.ts';

/** `/v2/roles` (wire facts 5). */
export function roleRoutes(roles: Roles): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-role',
      body: RoleBody,
      handle: async ({ body }) => {
        const { id, name } = await roles.create(body);
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'get-role',
      query: RoleQuery,
      handle: async ({ params, query }) => ({
        body: { data: roleView(await roles.get(referenceOf(params['identifier'], query))) },
      }),
    }),
    defineRoute({
      operation: 'list-roles',
      handle: async () => {
        const data = (await roles.list()).values().map(({ id, name, extendedRole }) => ({ id, name, extendedRole }));
        return { body: { data } };
      },
    }),
    defineRoute({
      operation: 'update-role',
      query: RoleQuery,
      body: RoleBody,
      handle: async ({ params, query, body }) => {
        const { id, name } = await roles.replace(referenceOf(params['identifier'], query), body);
        return { body: { result: 'Updated', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'delete-role',
      query: RoleQuery,
      handle: async ({ params, query }) => {
        await roles.remove(referenceOf(params['identifier'], query));
        return { body: { result: 'Deleted' } };
      },
    }),
    importRoute({
      operation: 'import-role',
      body: RoleBody,
      put: async (id, body) => importedAs(await roles.put(id, body)),
    }),
  ];
}

const roleView = ({ id, name, extendedRole, grantedRights, disallowedRights }: CustomRole) => ({
  id,
  name,
  extendedRole,
  grantedRights,
  disallowedRights,
});
