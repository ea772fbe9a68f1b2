import { CreateUserBody, GetUserQuery, ListUsersQuery } from '@tocsin/contracts';
import { defineRoute, pageUrls, type Route } from '@tocsin/http';
import type { Users } from '../application/users.ts';
import { userView } from './user-view.ts';

/** What reads of users can show more of on demand. */
const EXPANDABLE = ['contact'];

/** `/v2/users` (part 3, 4.1). */
export function userRoutes(users: Users): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-user',
      body: CreateUserBody,
      handle: async ({ body }) => {
        const { id, username } = await users.create(body);
        return { status: 201, body: { result: 'Created', data: { id, name: username } } };
      },
    }),
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
      handle: async ({ query: { expand, ...page }, publicUrl }) => {
        const { users: listed, total } = await users.list(page);
        const { limit, offset, sort, order } = page;
        const kept = { sort, order, ...(expand.contacts ? { expand: 'contact' } : {}) };
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
      operation: 'delete-user',
      handle: async ({ params }) => {
        await users.remove(params['identifier'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
