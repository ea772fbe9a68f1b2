import type { KeyPrincipal } from '@tocsin/key-auth';

/** Who calls with a key of the whole account that may do everything, as services hear of them (K3, K6). */
export const accountKey: KeyPrincipal = {
  kind: 'key',
  integrationId: 'integration-1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
