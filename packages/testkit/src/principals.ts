/** A principal of the kind that `accountKey` gives. It has no type of its own, because the packages with principals are tested with it. */
interface KeyPrincipal {
  readonly kind: 'key';
  readonly integrationId: string;
  readonly integrationName: string;
  readonly integrationType: string;
  readonly teamId: string | undefined;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  readonly mayConfigure: boolean;
}

/** The principal of an account key with all rights, as services receive it (K3, K6). */
export const accountKey: KeyPrincipal = {
  kind: 'key',
  integrationId: 'integration-1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayRead: true,
  mayWrite: true,
  mayConfigure: true,
};

/** A principal of the kind that `signedIn` makes. */
interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly role: 'owner' | 'admin' | 'user' | 'observer' | 'stakeholder';
  readonly teams: readonly { readonly id: string; readonly role: 'admin' | 'user' }[];
}

/** The principal of a signed-in person, by default Ada, a user without teams (K11). `teams` has their role in each team by its id. */
export function signedIn(
  teams: Readonly<Record<string, 'admin' | 'user'>> = {},
  { role = 'user', userId = 'ada' }: Partial<Pick<UserPrincipal, 'role' | 'userId'>> = {},
): UserPrincipal {
  const memberships = Object.entries(teams).map(([id, teamRole]) => ({ id, role: teamRole }));
  return { kind: 'user', userId, username: `${userId}@example.com`, role, teams: memberships };
}
