/** A thing that a team may own; undefined where it is the whole account's. */
export interface Owned {
  readonly ownerTeamId?: string | undefined;
}

/**
 * Whether what a key of team `teamId` writes may name a thing: those of its own team and of no team, so all users and teams. To
 * another team it hands over by the name of that team, never by one of its schedules or escalations (K9). A key of no team may
 * name everything. The one rule of all services.
 */
export function mayName({ ownerTeamId }: Owned, teamId: string | undefined): boolean {
  return teamId === undefined || ownerTeamId === undefined || ownerTeamId === teamId;
}
