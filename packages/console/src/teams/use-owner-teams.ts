import { useQuery } from '@tanstack/react-query';
import { teamNamesQuery } from '../policies/queries.ts';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';

interface OwnerTeam {
  readonly id: string;
  readonly name: string;
}

/** The teams to which a person can give a schedule or an escalation: theirs, or all of the account where they are its admin. */
export function useOwnerTeams(): readonly OwnerTeam[] {
  const { teams } = useSession();
  const isAdmin = useAccountChangesRefused() === undefined;
  const all = useQuery({ ...teamNamesQuery, enabled: isAdmin });
  return all.data ?? teams;
}
