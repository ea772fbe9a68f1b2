import type { KeyPrincipal } from '../principal.ts';

/** The holder of a key of the whole account that may do everything. */
export const full: KeyPrincipal = {
  kind: 'key',
  integrationId: '5d1c8c1e-7d0a-4d1c-9d1d-0a7f3c1b2a3c',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
