import { z } from 'zod';
import { RoleBody, RoleQuery } from '@tocsin/contracts';
import { Account, RateLimit, Role, RoleSummary } from '../answers/account.ts';
import { Named } from '../answers/shared.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50', name: 'Night watch' };
const rights = { grantedRights: ['alert-view'], disallowedRights: ['alert-delete'] };
const body = { name: 'Night watch', extendedRole: 'observer', ...rights };

const path = z.object({
  identifier: z.string().min(1).meta({ description: 'The id of the role, or its name where the query says so.' }),
});

/** Wire facts 5. */
export const ACCOUNT = area({
  'create-role': {
    body: { schema: RoleBody, example: body },
    success: createdAnswer(Named, written),
    refusals: [409],
  },
  'list-roles': {
    description: 'The fixed roles owner, admin and user are not among them.',
    success: dataAnswer(z.array(RoleSummary), [{ ...written, extendedRole: 'observer' }]),
  },
  'get-role': {
    path,
    query: RoleQuery,
    success: dataAnswer(Role, { ...written, ...body }),
    refusals: [404],
  },
  'update-role': {
    path,
    query: RoleQuery,
    body: { schema: RoleBody, example: { ...body, grantedRights: [] } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404, 409],
  },
  'delete-role': {
    path,
    query: RoleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'get-account': {
    success: dataAnswer(Account, {
      name: 'Example',
      userCount: 12,
      plan: { maxUserCount: 2_147_483_647, name: 'Self-hosted', isYearly: false },
    }),
  },
  'list-request-limits': {
    success: dataAnswer(z.object({ rateLimits: z.array(RateLimit) }), {
      rateLimits: [
        {
          domain: 'alert',
          limits: [
            { limit: 100, periodInSeconds: 1 },
            { limit: 1_000, periodInSeconds: 60 },
          ],
        },
      ],
    }),
  },
});
