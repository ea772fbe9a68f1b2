import type { IntegrationBody } from '@tocsin/contracts';

/** Whether whom the payload names is left out: teams, the others, or all of them (P11). */
export interface IgnoreFlags {
  readonly ignoreRecipients: boolean;
  readonly ignoreTeams: boolean;
  readonly ignoreResponders: boolean;
}

/**
 * What a body says in two spellings: a flag for each kind, and a newer one for all, which covers what is left out. Where they
 * disagree the newer one holds, because clients send back a copy of the older ones as they read it (P2; wire facts 10.7).
 */
export function ignoreFlags({
  ignoreRecipientsFromPayload: recipients,
  ignoreTeamsFromPayload: teams,
  ignoreRespondersFromPayload: all,
}: Pick<IntegrationBody, `ignore${'Recipients' | 'Teams' | 'Responders'}FromPayload`>): IgnoreFlags {
  const older = { ignoreRecipients: recipients ?? all ?? false, ignoreTeams: teams ?? all ?? false };
  const both = older.ignoreRecipients && older.ignoreTeams;
  if (all === undefined || all === both) return { ...older, ignoreResponders: both };
  return { ignoreRecipients: all, ignoreTeams: all, ignoreResponders: all };
}
