import { CreateUserBody, GetUserQuery, ImportUserBody, ListUsersQuery, UpdateUserBody } from '@tocsin/api';
import { formatInstant, Users as UsersTopic } from '@tocsin/events';
import {
  defineRoute,
  importedAs,
  importRoute,
  type InternalRoute,
  pageUrls,
  type Principal,
  type Route,
  stateRoutes,
  actorName,
  boundTeam,
  requireWrite,
} from '@tocsin/http';
import { type Contact, disabledReason } from '../contacts/contact.ts';
import { addressView } from '../contacts/routes.ts';
import type { UserImports } from './import-operations.ts';
import type { Users } from './operations.ts';
import type { ListedUser, UserStore } from './store.ts';
import { userMessage } from './user.ts';

/** The values of `expand` of reads. */
const EXPANDABLE = ['contact'] as const;

/** The limit of users: none. Clients read a signed number of 32 bits, so this is the largest one. */
const NO_LIMIT = 2_147_483_647;
const PLAN = { maxUserCount: NO_LIMIT, name: 'Self-hosted', isYearly: false };

export interface UserHandlers {
  readonly users: Users;
  readonly userImports: UserImports;
}

/** `/v2/users` (part 3, 4.1). */
export function userRoutes({ users, userImports }: UserHandlers): readonly Route[] {
  return [
    ...writes(users),
    ...reads(users),
    importRoute({
      operation: 'import-user',
      body: ImportUserBody,
      put: async (id, body) => importedAs(await userImports.put(id, body)),
    }),
  ];
}

function writes(users: Users): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-user',
      body: CreateUserBody,
      handle: async ({ body, principal, publicUrl }) => {
        const inviter = { name: actorName(principal), url: publicUrl };
        const { id, username } = await users.create(body, inviter);
        return { status: 201, body: { result: 'Created', data: { id, name: username } } };
      },
    }),
    defineRoute({
      operation: 'update-user',
      body: UpdateUserBody,
      handle: async ({ params, body, principal }) => {
        if (body.role !== undefined) requireWrite({ ownerTeamId: undefined, action: 'change a role' }, principal);
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
      handle: async ({ params, query, principal }) => {
        const user = await users.get(params['identifier'] ?? '');
        return { body: { data: userView(user, query.expand, principal), expandable: EXPANDABLE } };
      },
    }),
    defineRoute({
      operation: 'list-users',
      query: ListUsersQuery,
      handle: async ({ query: { expand, query, ...page }, principal, publicUrl }) => {
        const { users: listed, total } = await users.list({ ...page, conditions: query.conditions });
        const { limit, offset, sort, order } = page;
        const params = {
          sort,
          order,
          ...(query.conditions.length === 0 ? {} : { query: query.text }),
          ...(expand.contacts ? { expand: 'contact' } : {}),
        };
        return {
          body: {
            totalCount: total,
            data: listed.map((user) => userView(user, expand, principal)),
            paging: pageUrls({ publicUrl, path: '/v2/users', query: params, offset, limit, total }),
            expandable: EXPANDABLE,
          },
        };
      },
    }),
    defineRoute({
      operation: 'list-user-teams',
      handle: async ({ params, principal }) => ({
        body: { data: await users.teamsOf(params['identifier'] ?? '', boundTeam(principal)) },
      }),
    }),
  ];
}

/** A user as answers show one (part 3, 2.1); `contacts` adds what `expand=contact` asks for. */
function userView(user: ListedUser, { contacts }: { readonly contacts: boolean }, principal: Principal) {
  return {
    id: user.id,
    username: user.username,
    fullName: user.fullName,
    role: user.role,
    ...(user.skypeUsername === undefined ? {} : { skypeUsername: user.skypeUsername }),
    userAddress: user.userAddress,
    tags: user.tags,
    details: user.details,
    timeZone: user.timeZone,
    locale: user.locale,
    blocked: user.blocked,
    verified: user.verified,
    ...(user.mutedUntil === undefined ? {} : { mutedUntil: formatInstant(user.mutedUntil) }),
    createdAt: formatInstant(user.createdAt),
    ...(contacts ? { userContacts: user.contacts.map((contact) => contactView(contact, user.id, principal)) } : {}),
  };
}

function contactView(contact: Contact, user: string, principal: Principal) {
  const { id, method, enabled } = contact;
  const to = addressView(contact, user, principal);
  const reason = disabledReason(contact);
  return { to, id, contactMethod: method, enabled, ...(reason === undefined ? {} : { disabledReason: reason }) };
}

/** For other services: the states of users. */
export const internalUserRoutes = (store: Pick<UserStore, 'withAny'>): readonly InternalRoute[] =>
  stateRoutes(UsersTopic, async (index, values) => {
    if (index !== 'id' && index !== 'username' && index !== 'telegram') return [];
    return (await store.withAny(index, values)).map(userMessage);
  });

/** `/v2/account` (wire facts 5): the only account of the installation (K5). */
export function accountRoutes(users: Pick<UserStore, 'count'>, name: string): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-account',
      handle: async () => ({ body: { data: { name, userCount: await users.count(), plan: PLAN } } }),
    }),
  ];
}
