import type { Answer } from '../api/answer.ts';

/** A user with their role and state. */
export type AccountUser = Answer<'list-users'>['data'][number];
export type CustomRole = Answer<'list-roles'>['data'][number];

interface RoleOption {
  /** The id. */
  readonly value: string;
  readonly name: string;
}

const FIXED_ROLES: readonly RoleOption[] = [
  { value: 'user', name: 'User' },
  { value: 'admin', name: 'Admin' },
  { value: 'owner', name: 'Owner' },
];

/** The role that an invited person gets, unless another is chosen. */
export const DEFAULT_ROLE = 'user';

/** The roles that a person can have: those that each account has, and its own with the rights of each. */
export const roleOptions = (custom: readonly CustomRole[]): readonly RoleOption[] => [
  ...FIXED_ROLES,
  ...custom.map(({ extendedRole, id, name }) => ({ value: id, name: `${name} (rights of ${extendedRole})` })),
];

const ROLE_RIGHTS: Readonly<Record<string, string>> = {
  user: 'Reads everything, acts on alerts, and changes how they are reached and the overrides of their teams. As an admin of a team they also change all that the team owns.',
  admin: 'Changes everything: users and their roles, teams, and what belongs to the account.',
  owner: 'Changes everything, as an admin does.',
  observer: 'Reads everything, and changes only how they are reached.',
  stakeholder: 'Reads everything, and changes only how they are reached.',
};

/** What a person of a role may do, in words; undefined for a role that is not known. */
export function roleRights(role: string, custom: readonly CustomRole[]): string | undefined {
  const extended = custom.find(({ id }) => id === role)?.extendedRole;
  return ROLE_RIGHTS[extended ?? role];
}

/** What else there is to say of a person, such as that no mail has reached them. */
export function personState(
  { blocked, mutedUntil, verified }: Pick<AccountUser, 'blocked' | 'mutedUntil' | 'verified'>,
  now: number,
): readonly string[] {
  return [
    blocked && 'blocked',
    !verified && 'no mail has reached them yet',
    mutedUntil !== undefined && Date.parse(mutedUntil) > now && 'muted: only pages of P1 are sent',
  ].filter((text) => text !== false);
}

/** What another person changed of the role of a user, a sentence; nothing where it is as it was. */
export const roleChanges = (seen: AccountUser['role'], now: AccountUser['role']): readonly string[] =>
  seen.id === now.id ? [] : [`Another person gave them the role ${now.name}.`];
