import { defineRoute, type Route } from '@tocsin/http';
import type { UserStore } from './store.ts';

/** The largest number of 32 bits with a sign, as which clients read the limit. There is none. */
const NO_LIMIT = 2_147_483_647;
/** Of an installation that its users run themselves. */
const PLAN = { maxUserCount: NO_LIMIT, name: 'Self-hosted', isYearly: false };

/** `/v2/account` (wire facts 5): the one account of the installation (K5). */
export function accountRoutes(users: Pick<UserStore, 'count'>, name: string): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-account',
      handle: async () => ({ body: { data: { name, userCount: await users.count(), plan: PLAN } } }),
    }),
  ];
}
