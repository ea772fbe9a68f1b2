import { CreateUserBody, GetUserQuery, ListUsersQuery, UpdateUserBody } from '@tocsin/contracts';
import { defineRoute, pageUrls, type Route } from '@tocsin/http';
import type { Users } from '../application/users.ts';
import { userView } from './user-view.ts';

/** What reads of users can show more of on demand. */
const EXPANDABLE = ['contact'];

/** `/v2/users` (part 3, 4.1). */
export function userRoutes(users: Users): readonly Route[] {
  return [...writes(users), ...reads(users)];
}

function writes(users: Users): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-user',
      body: CreateUserBody,
      handle: async ({ body, principal, publicUrl }) => {
        const inviter = { name: principal.integrationName, url: publicUrl };
        const { id, username } = await users.create(body, inviter);
        return { status: 201, body: { result: 'Created', data: { id, name: username } } };
      },
    }),
    defineRoute({
      operation: 'update-user',
      body: UpdateUserBody,
      handle: async ({ params, body }) => {
        await users.update(params['identifier'] ?? '', body);
        return { body: { result: 'Updated' } };
      },
    }),
    defineRoute({
      operation: 'delete-user',
      handle: async ({ params }) => {
        await users.remove(params['identifier'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

function reads(users: Users): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-user',
      query: GetUserQuery,
      handle: async ({ params, query }) => {
        const user = await users.get(params['identifier'] ?? '');
        return { body: { data: userView(user, query.expand), expandable: EXPANDABLE } };
      },
    }),
    defineRoute({
      operation: 'list-users',
      query: ListUsersQuery,
      handle: async ({ query: { expand, query, ...page }, publicUrl }) => {
        const { users: listed, total } = await users.list({ ...page, conditions: query.conditions });
        const { limit, offset, sort, order } = page;
        const kept = {
          sort,
          order,
          ...(query.conditions.length === 0 ? {} : { query: query.text }),
          ...(expand.contacts ? { expand: 'contact' } : {}),
        };
        return {
          body: {
            totalCount: total,
            data: listed.map((user) => userView(user, expand)),
            paging: pageUrls({ publicUrl, path: '/v2/users', query: kept, offset, limit, total }),
            expandable: EXPANDABLE,
          },
        };
      },
    }),
    defineRoute({
      operation: 'list-user-teams',
      handle: async ({ params, principal }) => ({
        body: { data: await users.teamsOf(params['identifier'] ?? '', principal.teamId) },
      }),
    }),
  ];
}
