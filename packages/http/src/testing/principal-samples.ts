import type { KeyPrincipal, PersonRole, UserPrincipal } from '../authentication/principal.ts';

/** The holder of a key of the whole account that may do everything. */
export const full: KeyPrincipal = {
  kind: 'key',
  integrationId: '5d1c8c1e-7d0a-4d1c-9d1d-0a7f3c1b2a3c',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayRead: true,
  mayWrite: true,
  mayConfigure: true,
};

/** Ada with a role: admin of team `red`, member of team `blue`. */
export const ada = (role: PersonRole): UserPrincipal => ({
  kind: 'user',
  userId: 'b0a4b3c6-6f1c-4f5c-8d5b-3b1c0c3c2a11',
  username: 'ada@example.com',
  role,
  teams: [
    { id: 'red', role: 'admin' },
    { id: 'blue', role: 'user' },
  ],
});
