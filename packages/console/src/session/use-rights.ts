import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { alertChangesRefused, isCustom } from './roles.ts';
import { useSession } from './use-session.ts';

/** How long what a role extends is not asked again. */
const ROLE_FRESH_MS = 300_000;

/** Why the signed-in person cannot change alerts; undefined where they can. */
export function useAlertChangesRefused(): string | undefined {
  const { role } = useSession();
  const { data } = useQuery({
    queryKey: ['role', role.id],
    queryFn: ({ signal }) => call<Answer<'get-role'>>({ path: `/v2/roles/${role.id}`, signal }),
    enabled: isCustom(role.id),
    staleTime: ROLE_FRESH_MS,
  });
  return alertChangesRefused(role, data?.data.extendedRole);
}
