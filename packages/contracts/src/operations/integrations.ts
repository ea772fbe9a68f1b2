import { LARGE_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest' } as const;
const write = { right: 'write-configuration', domain: 'integration', owner: 'alert-ingest' } as const;
/** Account-wide, so refused to team keys (K8). */
const accountWrite = { ...write, teamKeys: 'refused' } as const;
/** Tells about the key itself: any key may ask (K3). */
const check = { right: 'read', domain: 'integration', owner: 'alert-ingest' } as const;

const ALL = '/v2/integrations';
const ONE = '/v2/integrations/{integrationId}';
const AUTHENTICATE = '/v2/integrations/authenticate';

/** Part 1, 4.2 and wire facts 5. */
export const INTEGRATION_OPERATIONS = [
  { ...read, id: 'list-integrations', method: 'GET', path: ALL, summary: 'Lists integrations' },
  {
    ...accountWrite,
    ...LARGE_BODY,
    id: 'create-integration',
    method: 'POST',
    path: ALL,
    summary: 'Creates an integration and its key',
  },
  { ...read, id: 'get-integration', method: 'GET', path: ONE, summary: 'Reads an integration' },
  { ...write, ...LARGE_BODY, id: 'update-integration', method: 'PUT', path: ONE, summary: 'Replaces an integration' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-integration',
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes an integration and its key',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-integration',
    method: 'POST',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-integration-by-put',
    method: 'PUT',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-integration-by-patch',
    method: 'PATCH',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-integration',
    method: 'POST',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-integration-by-put',
    method: 'PUT',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-integration-by-patch',
    method: 'PATCH',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
  },
  {
    ...check,
    ...SMALL_BODY,
    id: 'authenticate-integration',
    method: 'POST',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
  },
  {
    ...check,
    ...SMALL_BODY,
    id: 'authenticate-integration-by-put',
    method: 'PUT',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
  },
  {
    ...check,
    ...SMALL_BODY,
    id: 'authenticate-integration-by-patch',
    method: 'PATCH',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
  },
  {
    ...accountWrite,
    ...SMALL_BODY,
    id: 'rotate-integration-key',
    method: 'POST',
    path: `${ONE}/rotate-key`,
    summary: 'Replaces the key of an integration',
  },
  {
    ...read,
    id: 'list-integration-actions',
    method: 'GET',
    path: `${ONE}/actions`,
    summary: 'Lists the actions of an integration by group',
  },
  {
    ...accountWrite,
    ...LARGE_BODY,
    id: 'create-integration-action',
    method: 'POST',
    path: `${ONE}/actions`,
    summary: 'Adds an action to an integration',
  },
  {
    ...accountWrite,
    ...LARGE_BODY,
    id: 'replace-integration-actions',
    method: 'PUT',
    path: `${ONE}/actions`,
    summary: 'Replaces all actions of an integration',
  },
] as const satisfies readonly Operation[];
