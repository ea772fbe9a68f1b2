/** The roles that are not made by the account; all others extend one of the roles of {@link CHANGE_ALERTS} or one that reads. */
const FIXED: ReadonlySet<string> = new Set(['owner', 'admin', 'user']);
const CHANGE_ALERTS = FIXED;

export const isCustom = (roleId: string): boolean => !FIXED.has(roleId);

interface SessionRole {
  readonly id: string;
  readonly name: string;
}

/**
 * Why a person cannot change alerts; undefined where they can, or where the page does not know yet. The server decides (K11); the page
 * shows it before.
 *
 * @param role - that of the session
 * @param extendedRole - what a custom role extends, once it is known
 */
export function alertChangesRefused(role: SessionRole, extendedRole: string | undefined): string | undefined {
  return canChange(role, extendedRole) ? undefined : `Your role "${role.name}" can only read alerts.`;
}

/** Why a person cannot change how they are reached, and what else is theirs alone, as {@link alertChangesRefused} (K11). */
export const ownChangesRefused = (role: SessionRole, extendedRole: string | undefined): string | undefined =>
  canChange(role, extendedRole)
    ? undefined
    : `Your role "${role.name}" can only read. Ask an owner or an admin of the account to change it.`;

function canChange(role: SessionRole, extendedRole: string | undefined): boolean {
  const rights = rightsOf(role, extendedRole);
  return rights === undefined || CHANGE_ALERTS.has(rights);
}

/** The role whose rights a role has; undefined where the page does not know yet. */
const rightsOf = ({ id }: SessionRole, extendedRole: string | undefined): string | undefined =>
  isCustom(id) ? extendedRole : id;

interface OwnedSchedule {
  readonly ownerTeam?: { readonly id: string; readonly name?: string | undefined } | undefined;
}

/**
 * Why a person cannot change the overrides of a schedule, as {@link alertChangesRefused}: admins of the account change all, members those
 * of their teams, which the session names (K12).
 */
export function overrideChangesRefused(
  { ownerTeam }: OwnedSchedule,
  {
    extendedRole,
    role,
    teams,
  }: {
    readonly role: SessionRole;
    readonly extendedRole: string | undefined;
    readonly teams: readonly { readonly id: string }[];
  },
): string | undefined {
  if (!canChange(role, extendedRole)) return `Your role "${role.name}" can only read schedules.`;
  if (rightsOf(role, extendedRole) !== 'user' || teams.some(({ id }) => id === ownerTeam?.id)) return undefined;
  return ownerTeam === undefined
    ? 'Only an owner or admin of the account can change the overrides of a schedule without a team.'
    : `Only a member of team ${ownerTeam.name ?? ownerTeam.id}, or an admin of the account, can change its overrides.`;
}
