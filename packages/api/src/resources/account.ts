import { z } from 'zod';
import { Id, Named } from '../answers/shared.ts';
import { RoleBody, RoleQuery } from '../bodies/roles.ts';
import { DOMAINS, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

/** Wire facts 5. */
const Account = z
  .object({
    name: z.string(),
    userCount: z.int().min(0),
    plan: z.object({ maxUserCount: z.int(), name: z.string(), isYearly: z.boolean() }),
  })
  .meta({ id: 'Account' });

/** The rate limit of a key for one group of operations (F6, E16). */
const RateLimit = z
  .object({
    domain: z.enum(DOMAINS),
    limits: z.array(z.object({ limit: z.int().min(0), periodInSeconds: z.int().min(1) })),
  })
  .meta({ id: 'RateLimit' });

const summary = { id: Id, name: z.string(), extendedRole: z.enum(['user', 'observer', 'stakeholder']) };
const rights = z.array(z.string());

/** Wire facts 5. */
const Role = z.object({ ...summary, grantedRights: rights, disallowedRights: rights }).meta({ id: 'Role' });

/** A custom role as a list shows it. */
const RoleSummary = z.object(summary).meta({ id: 'RoleSummary' });

/** Roles belong to the account: a team key has no business with them (K8). */
const read = {
  right: 'read-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
} as const;
const write = { ...read, right: 'write-configuration' } as const;
const ROLE = '/v2/roles/{identifier}';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50', name: 'Night watch' };
const rightsExample = { grantedRights: ['alert-view'], disallowedRights: ['alert-delete'] };
const body = { name: 'Night watch', extendedRole: 'observer', ...rightsExample };

const params = z.object({
  identifier: z.string().min(1).meta({ description: 'The id of the role, or its name where the query says so.' }),
});

const RULES: Rules = {
  K5: [
    'The account:',
    'The first start creates `Default API` with `BOOTSTRAP_API_KEY` or a generated key, which is shown at the terminal and never logged, and an owner from `OWNER_EMAIL`.',
    'One installation is one account; its plan has no limit.',
    'The roles owner, admin and user always exist, in any case of their names. A custom role cannot have their names.',
    'Roles give rights to people (K11). The rights of a key are in its integration.',
    'The last owner can be neither deleted nor given another role: 422.',
  ],
  E16: [
    'The rate limits are the numbers of requests a second and a minute that each domain allows.',
    'A caller that does not exceed either number, at any instants within the period, is never refused, as long as bodies and answers are below 64 KiB (F6).',
    'The number for a second is the rate. The number for a minute is the size of the bucket, or 60 times the rate where that is less.',
    'With `RATE_LIMITS=off` both are 1 000 000: there is no limit.',
  ],
};

/** Wire facts 5. */
export const ACCOUNT = resource('Account', RULES, {
  'create-role': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/roles',
    summary: 'Creates a custom role',
    body: { schema: RoleBody, example: body },
    success: createdAnswer(Named, written),
    refusals: [409],
  },
  'list-roles': {
    ...read,
    method: 'GET',
    path: '/v2/roles',
    summary: 'Lists custom roles',
    description: 'The fixed roles owner, admin and user are not among them.',
    success: dataAnswer(z.array(RoleSummary), [{ ...written, extendedRole: 'observer' }]),
  },
  'get-role': {
    ...read,
    method: 'GET',
    path: ROLE,
    summary: 'Reads a custom role',
    params,
    query: RoleQuery,
    success: dataAnswer(Role, { ...written, ...body }),
    refusals: [404],
  },
  'update-role': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: ROLE,
    summary: 'Replaces a custom role',
    params,
    query: RoleQuery,
    body: { schema: RoleBody, example: { ...body, grantedRights: [] } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404, 409],
  },
  'delete-role': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: ROLE,
    summary: 'Deletes a custom role',
    params,
    query: RoleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'get-account': {
    right: 'read-configuration',
    domain: 'configuration',
    owner: 'directory',
    method: 'GET',
    path: '/v2/account',
    summary: 'Reads the account',
    success: dataAnswer(Account, {
      name: 'Example',
      userCount: 12,
      plan: { maxUserCount: 2_147_483_647, name: 'Self-hosted', isYearly: false },
    }),
  },
  'list-request-limits': {
    right: 'read',
    domain: 'configuration',
    owner: 'gateway',
    method: 'GET',
    path: '/v2/request-limits',
    summary: 'Lists the rate limits',
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
