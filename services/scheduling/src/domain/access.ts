import type { Escalation } from './escalation.ts';
import { mentionsOf } from './mentions.ts';
import type { Schedule } from './schedule.ts';

/** What the key of team `teamId`, or of no team, may do with a thing (K4). */
export type Access = 'none' | 'read' | 'write';

/** A key of no team may do everything; a team's key owns its team's things and reads those that name its team (K4). */
export function accessTo(thing: Schedule | Escalation, teamId: string | undefined): Access {
  if (teamId === undefined || thing.ownerTeamId === teamId) return 'write';
  return mentionsOf(thing).some(({ type, id }) => type === 'team' && id === teamId) ? 'read' : 'none';
}
