import { defineRoute, type Route } from '@tocsin/http';
import type { Account } from '../application/account.ts';

/** `/v2/account` (wire facts 5). */
export function accountRoutes(account: Account): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-account',
      handle: async () => ({ body: { data: await account.summary() } }),
    }),
  ];
}
