import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Members } from './members.tsx';
import { OwnedLists } from './owned-lists.tsx';
import { type Team, teamQuery } from './queries.ts';
import { TeamActions } from './team-actions.tsx';
import { TeamLog } from './team-log.tsx';
import { TeamRoles } from './team-roles.tsx';

/** Who a team is, and what it runs. */
export function TeamPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(teamQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.teams()}>All teams</PageLink>
      </p>
      <PageHeading key={id} title={query.data?.data.name ?? 'Team'} isReady={!query.isPending} />
      <Loaded query={query} height="60vh">
        {({ data }) => <TeamParts key={data.id} team={data} />}
      </Loaded>
    </>
  );
}

function TeamParts({ team }: { readonly team: Team }): JSX.Element {
  const refused = useTeamChangesRefused(team);
  return (
    <>
      {team.description !== '' && <p>{team.description}</p>}
      <TeamActions team={team} refused={refused} />
      <Members team={team} refused={refused} />
      <OwnedLists teamId={team.id} refused={refused} />
      <TeamRoles teamId={team.id} />
      <TeamLog teamId={team.id} />
    </>
  );
}
