import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import {
  accountChangesRefused,
  alertChangesRefused,
  isCustom,
  overrideChangesRefused,
  ownChangesRefused,
  teamChangesRefused,
} from './roles.ts';
import { useSession } from './use-session.ts';

/** How long what a role extends is not asked again. */
const ROLE_FRESH_MS = 300_000;

/** What the custom role of the signed-in person extends, once it is known. */
function useExtendedRole(): string | undefined {
  const { role } = useSession();
  const { data } = useQuery({
    queryKey: ['role', role.id],
    queryFn: ({ signal }) => call<Answer<'get-role'>>({ path: `/v2/roles/${role.id}`, signal }),
    enabled: isCustom(role.id),
    staleTime: ROLE_FRESH_MS,
  });
  return data?.data.extendedRole;
}

/** Why the signed-in person cannot change alerts; undefined where they can. */
export function useAlertChangesRefused(): string | undefined {
  return alertChangesRefused(useSession().role, useExtendedRole());
}

/** Why the signed-in person cannot change how they are reached; undefined where they can. */
export function useOwnChangesRefused(): string | undefined {
  return ownChangesRefused(useSession().role, useExtendedRole());
}

/** Why the signed-in person cannot change the overrides of a schedule; undefined where they can. */
export function useOverrideChangesRefused(schedule: Parameters<typeof overrideChangesRefused>[0]): string | undefined {
  const { role, teams } = useSession();
  return overrideChangesRefused(schedule, { role, teams, extendedRole: useExtendedRole() });
}

/** Why the signed-in person cannot change what belongs to the account; undefined where they can. */
export const useAccountChangesRefused = (): string | undefined => accountChangesRefused(useSession().role);

/** Why the signed-in person cannot change a team, or what it owns; undefined where they can. */
export function useTeamChangesRefused(team: Parameters<typeof teamChangesRefused>[0]): string | undefined {
  const { role, teams } = useSession();
  return teamChangesRefused(team, { role, teams, extendedRole: useExtendedRole() });
}

/** Whether the signed-in person can change what one of their teams, or the account, owns. */
export function useMayChangeSomeTeam(): boolean {
  const { teams } = useSession();
  return useTeamChangesRefused(teams.find(({ role }) => role === 'admin')) === undefined;
}

/** Why the signed-in person cannot change things of these teams together; undefined where they can. */
export function useTeamsChangesRefused(
  owners: readonly Parameters<typeof teamChangesRefused>[0][],
): string | undefined {
  const { role, teams } = useSession();
  const rights = { role, teams, extendedRole: useExtendedRole() };
  return owners.map((owner) => teamChangesRefused(owner, rights)).find((reason) => reason !== undefined);
}
