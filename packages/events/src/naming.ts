/** The owner team of an entity; undefined when the whole account owns it. */
export interface Owned {
  readonly ownerTeamId?: string | undefined;
}

/**
 * Whether a request with a key of team `teamId` may name an entity: one of its own team, or one without owner team, so every user
 * and every team. It may name another team, but not that team's schedules and escalations (K9). A key without team may name
 * everything. All services use this rule.
 */
export function mayName({ ownerTeamId }: Owned, teamId: string | undefined): boolean {
  return teamId === undefined || ownerTeamId === undefined || ownerTeamId === teamId;
}
