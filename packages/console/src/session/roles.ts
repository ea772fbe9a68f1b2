import type { CurrentSession } from './session.ts';

/** Roles that read only (K11). A role of one's own counts as a stakeholder for the console as it does for the gateway. */
const CHANGE_ALERTS: ReadonlySet<string> = new Set(['owner', 'admin', 'user']);

/** Why a person cannot change alerts; undefined where they can. The server decides (K11); this is what the page shows before. */
export function alertChangesRefused({ role }: Pick<CurrentSession, 'role'>): string | undefined {
  return CHANGE_ALERTS.has(role.id)
    ? undefined
    : `Your role, ${role.name}, reads alerts. Owners, admins and users of the account change them.`;
}
