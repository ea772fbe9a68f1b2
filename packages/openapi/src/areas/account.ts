import { z } from 'zod';
import { RoleBody, RoleQuery } from '@tocsin/contracts';
import { Account, RateLimit, Role, RoleSummary } from '../answers/account.ts';
import { Named, resultOf } from '../answers/shared.ts';
import type { Descriptions } from '../description.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50', name: 'Night watch' };
const rights = { grantedRights: ['alert-view'], disallowedRights: ['alert-delete'] };
const body = { name: 'Night watch', extendedRole: 'observer', ...rights };

const path = z.object({
  identifier: z.string().min(1).meta({ description: 'The id of the role, or its name where the query says so.' }),
});

/** Wire facts 5. */
export const ACCOUNT: Descriptions<
  'create-role' | 'list-roles' | 'get-role' | 'update-role' | 'delete-role' | 'get-account' | 'list-request-limits'
> = {
  'create-role': {
    body: { schema: RoleBody, example: body },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Named }),
      example: { result: 'Created', data: written },
    },
    refusals: [409],
  },
  'list-roles': {
    description: 'The fixed roles owner, admin and user are not among them.',
    success: {
      status: 200,
      schema: z.object({ data: z.array(RoleSummary) }),
      example: { data: [{ ...written, extendedRole: 'observer' }] },
    },
  },
  'get-role': {
    path,
    query: RoleQuery,
    success: { status: 200, schema: z.object({ data: Role }), example: { data: { ...written, ...body } } },
    refusals: [404],
  },
  'update-role': {
    path,
    query: RoleQuery,
    body: { schema: RoleBody, example: { ...body, grantedRights: [] } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Named }),
      example: { result: 'Updated', data: written },
    },
    refusals: [404, 409],
  },
  'delete-role': {
    path,
    query: RoleQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404, 428],
  },
  'get-account': {
    success: {
      status: 200,
      schema: z.object({ data: Account }),
      example: {
        data: {
          name: 'Example',
          userCount: 12,
          plan: { maxUserCount: 2_147_483_647, name: 'Self-hosted', isYearly: false },
        },
      },
    },
  },
  'list-request-limits': {
    success: {
      status: 200,
      schema: z.object({ data: z.object({ rateLimits: z.array(RateLimit) }) }),
      example: {
        data: {
          rateLimits: [
            {
              domain: 'alert',
              limits: [
                { limit: 1_000, periodInSeconds: 1 },
                { limit: 6_900, periodInSeconds: 60 },
              ],
            },
          ],
        },
      },
    },
  },
};
