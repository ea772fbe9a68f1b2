import { formatInstant } from '@tocsin/contracts';
import type { NamedTeam, TeamHistory } from '../application/teams.ts';
import type { TeamSummary } from '../domain/team.ts';

/** A team as answers show one. A member who was removed meanwhile is left out: nobody can be reached under that name. */
export function teamView({ team: { id, name, description, members }, usernames }: NamedTeam): Record<string, unknown> {
  return {
    id,
    name,
    description,
    members: members.flatMap(({ userId, role }) => {
      const username = usernames.get(userId);
      return username === undefined ? [] : [{ user: { id: userId, username }, role }];
    }),
  };
}

/** A team as a list shows it (wire facts 5). There is no page for people to look at: both links lead to the API. */
export function teamSummaryView({ id, name, description }: TeamSummary, publicUrl: string): Record<string, unknown> {
  const url = `${publicUrl}/v2/teams/${encodeURIComponent(id)}`;
  return { id, name, description, links: { web: url, api: url } };
}

/** Lines of a history (part 2, 2.2); `offset` is there as long as more of it follows. */
export function historyView({ lines, next }: TeamHistory): Record<string, unknown> {
  return {
    ...(next === undefined ? {} : { offset: next }),
    logs: lines.map(({ owner, at, log }) => ({ owner, createdDate: formatInstant(at), log })),
  };
}
