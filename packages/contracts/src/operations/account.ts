import { MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

/** Roles belong to the account: a team key has no business with them (K8). */
const read = {
  right: 'read-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
} as const;
const write = { ...read, right: 'write-configuration' } as const;

const ROLE = '/v2/roles/{identifier}';

/** Wire facts 5: custom roles, the account itself and its rate limits. */
export const ACCOUNT_OPERATIONS = [
  { ...write, ...MEDIUM_BODY, id: 'create-role', method: 'POST', path: '/v2/roles', summary: 'Creates a custom role' },
  { ...read, id: 'list-roles', method: 'GET', path: '/v2/roles', summary: 'Lists custom roles' },
  { ...read, id: 'get-role', method: 'GET', path: ROLE, summary: 'Reads a custom role' },
  { ...write, ...MEDIUM_BODY, id: 'update-role', method: 'PUT', path: ROLE, summary: 'Replaces a custom role' },
  { ...write, ...SMALL_BODY, id: 'delete-role', method: 'DELETE', path: ROLE, summary: 'Deletes a custom role' },
  {
    right: 'read-configuration',
    domain: 'configuration',
    owner: 'directory',
    id: 'get-account',
    method: 'GET',
    path: '/v2/account',
    summary: 'Reads the account',
  },
  {
    right: 'read',
    domain: 'configuration',
    owner: 'gateway',
    id: 'list-request-limits',
    method: 'GET',
    path: '/v2/request-limits',
    summary: 'Lists the rate limits',
  },
] as const satisfies readonly Operation[];
