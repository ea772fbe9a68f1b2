import type { Escalation } from './escalation.ts';
import type { Schedule } from './schedule.ts';

/** What the key of team `teamId`, or of no team, may do with a thing (K4). */
export type Access = 'none' | 'read' | 'write';

/** A key of no team may do everything; a team's key owns its team's things and reads those that name its team (K4). */
export function accessTo(thing: Schedule | Escalation, teamId: string | undefined): Access {
  if (teamId === undefined || thing.ownerTeamId === teamId) return 'write';
  return teamsNamedBy(thing).includes(teamId) ? 'read' : 'none';
}

function teamsNamedBy(thing: Schedule | Escalation): readonly string[] {
  const named =
    'rotations' in thing
      ? thing.rotations.flatMap(({ participants }) => participants)
      : thing.rules.map(({ recipient }) => recipient);
  return named.flatMap((one) => (one.type === 'team' ? [one.id] : []));
}
