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

interface OwnerTeam {
  readonly id: string;
  readonly name?: string | undefined;
}

interface OwnedSchedule {
  readonly ownerTeam?: OwnerTeam | undefined;
}

/** The signed-in person, as far as their rights go. */
interface Rights {
  readonly role: SessionRole;
  readonly extendedRole: string | undefined;
  readonly teams: readonly { readonly id: string; readonly role?: string }[];
}

/**
 * Why a person cannot change the overrides of a schedule, as {@link alertChangesRefused}: admins of the account change all, members those
 * of their teams, which the session names (K12).
 */
export function overrideChangesRefused(
  { ownerTeam }: OwnedSchedule,
  { extendedRole, role, teams }: Rights,
): string | undefined {
  if (!canChange(role, extendedRole)) return `Your role "${role.name}" can only read schedules.`;
  if (rightsOf(role, extendedRole) !== 'user' || teams.some(({ id }) => id === ownerTeam?.id)) return undefined;
  return ownerTeam === undefined
    ? 'Only an owner or admin of the account can change the overrides of a schedule without a team.'
    : `Only a member of team ${ownerTeam.name ?? ownerTeam.id}, or an admin of the account, can change its overrides.`;
}

const ADMINS: ReadonlySet<string> = new Set(['owner', 'admin']);

/** Why a person cannot change what belongs to the whole account, such as its people; undefined where they can (K11). */
export const accountChangesRefused = ({ id, name }: SessionRole): string | undefined =>
  ADMINS.has(id) ? undefined : `Your role "${name}" cannot change this. Ask an owner or an admin of the account.`;

/**
 * Why a person cannot change a team, or the configuration that it owns; undefined where they can: admins of the account and of the team can
 * (K12).
 *
 * @param team - undefined where no team owns it
 */
export function teamChangesRefused(
  team: OwnerTeam | undefined,
  { extendedRole, role, teams }: Rights,
): string | undefined {
  if (accountChangesRefused(role) === undefined) return undefined;
  const rights = rightsOf(role, extendedRole);
  const isAdmin = teams.some((each) => each.id === team?.id && each.role === 'admin');
  if (isAdmin && (rights === undefined || rights === 'user')) return undefined;
  return team === undefined
    ? 'Only an owner or admin of the account can change this, because it belongs to no team.'
    : `Only an admin of team ${team.name ?? team.id}, or of the account, can change this.`;
}
