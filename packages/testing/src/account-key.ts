import type { Principal } from '@tocsin/key-auth';

/** Who calls with a key of the whole account that may do everything, as services hear of them (K3, K6). */
export const accountKey: Principal = {
  integrationId: 'integration-1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
