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
  const rights = isCustom(role.id) ? extendedRole : role.id;
  return rights === undefined || CHANGE_ALERTS.has(rights)
    ? undefined
    : `Your role "${role.name}" can only read alerts.`;
}
