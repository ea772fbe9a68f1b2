import { LARGE_BODY, MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'alert-processor' } as const;
const write = { right: 'write-configuration', domain: 'configuration', owner: 'alert-processor' } as const;

/** Version 1 knows the policies of the account alone (K8). */
const readOfAccount = { ...read, teamKeys: 'refused' } as const;
const writeOfAccount = { ...write, teamKeys: 'refused' } as const;

const V1 = '/v1/policies/{identifier}';
const V2 = '/v2/policies/{identifier}';
const MAINTENANCE = '/v1/maintenance/{maintenanceId}';

/** Part 1, 4.5 (version 1) and wire facts 5 (version 2): both show the same policies (P14). */
export const POLICY_OPERATIONS = [
  {
    ...writeOfAccount,
    ...LARGE_BODY,
    id: 'create-policy',
    method: 'POST',
    path: '/v1/policies',
    summary: 'Creates a policy',
  },
  { ...readOfAccount, id: 'list-policies', method: 'GET', path: '/v1/policies', summary: 'Lists policies by group' },
  { ...readOfAccount, id: 'get-policy', method: 'GET', path: V1, summary: 'Reads a policy' },
  { ...writeOfAccount, ...LARGE_BODY, id: 'update-policy', method: 'PUT', path: V1, summary: 'Replaces a policy' },
  { ...writeOfAccount, ...SMALL_BODY, id: 'delete-policy', method: 'DELETE', path: V1, summary: 'Deletes a policy' },
  {
    ...writeOfAccount,
    ...SMALL_BODY,
    id: 'enable-policy',
    method: 'POST',
    path: `${V1}/enable`,
    summary: 'Enables a policy',
  },
  {
    ...writeOfAccount,
    ...SMALL_BODY,
    id: 'disable-policy',
    method: 'POST',
    path: `${V1}/disable`,
    summary: 'Disables a policy',
  },
  {
    ...writeOfAccount,
    ...SMALL_BODY,
    id: 'change-policy-order',
    method: 'POST',
    path: `${V1}/change-order`,
    summary: 'Moves a policy',
  },

  {
    ...write,
    ...LARGE_BODY,
    id: 'create-policy-v2',
    method: 'POST',
    path: '/v2/policies',
    summary: 'Creates a global or team policy',
  },
  {
    ...read,
    id: 'list-alert-policies-v2',
    method: 'GET',
    path: '/v2/policies/alert',
    summary: 'Lists global or team alert policies',
  },
  {
    ...read,
    id: 'list-notification-policies-v2',
    method: 'GET',
    path: '/v2/policies/notification',
    summary: 'Lists global or team notification policies',
  },
  {
    ...read,
    ...MEDIUM_BODY,
    id: 'evaluate-policies',
    method: 'POST',
    path: '/v2/policies/evaluate',
    summary: 'Evaluates policies for an alert without a change',
  },
  { ...read, id: 'get-policy-v2', method: 'GET', path: V2, summary: 'Reads a global or team policy' },
  {
    ...write,
    ...LARGE_BODY,
    id: 'update-policy-v2',
    method: 'PUT',
    path: V2,
    summary: 'Replaces a global or team policy',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-policy-v2',
    method: 'DELETE',
    path: V2,
    summary: 'Deletes a global or team policy',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-policy-v2',
    method: 'POST',
    path: `${V2}/enable`,
    summary: 'Enables a global or team policy',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-policy-v2',
    method: 'POST',
    path: `${V2}/disable`,
    summary: 'Disables a global or team policy',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'change-policy-order-v2',
    method: 'POST',
    path: `${V2}/change-order`,
    summary: 'Moves a global or team policy',
  },
] as const satisfies readonly Operation[];

/** Part 1, 4.4 and wire facts 5. */
export const MAINTENANCE_OPERATIONS = [
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-maintenance',
    method: 'POST',
    path: '/v1/maintenance',
    summary: 'Plans a maintenance window',
  },
  { ...read, id: 'list-maintenances', method: 'GET', path: '/v1/maintenance', summary: 'Lists maintenance windows' },
  { ...read, id: 'get-maintenance', method: 'GET', path: MAINTENANCE, summary: 'Reads a maintenance window' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-maintenance',
    method: 'PUT',
    path: MAINTENANCE,
    summary: 'Replaces a planned window',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-maintenance',
    method: 'DELETE',
    path: MAINTENANCE,
    summary: 'Deletes a maintenance window',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'cancel-maintenance',
    method: 'POST',
    path: `${MAINTENANCE}/cancel`,
    summary: 'Cancels a window',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'change-maintenance-end-date',
    method: 'POST',
    path: `${MAINTENANCE}/change-end-date`,
    summary: 'Moves the end of an active window',
  },
] as const satisfies readonly Operation[];
