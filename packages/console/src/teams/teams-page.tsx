import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { CreateTeamDialog } from './create-team-dialog.tsx';
import { foundTeams } from './found-teams.ts';
import { type ListedTeam, teamsQuery } from './queries.ts';
import styles from './teams.module.css';

/** How many are listed before a person searches. */
const MAX_LISTED = 200;

/** All teams, first those of the person. */
export function TeamsPage(): JSX.Element {
  const query = useQuery(teamsQuery);
  const refused = useAccountChangesRefused();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeading title="Teams" />
      <Loaded query={query} height="16rem">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No teams">
              <p>A team has people, says who is on call, and owns what sends alerts.</p>
            </Empty>
          ) : (
            <TeamList teams={data} />
          )
        }
      </Loaded>
      <p className={ui['row']}>
        <Button
          disabledReason={refused}
          onClick={() => {
            setCreating(true);
          }}
        >
          Create a team
        </Button>
      </p>
      {isCreating && (
        <CreateTeamDialog
          onClose={() => {
            setCreating(false);
          }}
        />
      )}
    </>
  );
}

function TeamList({ teams }: { readonly teams: readonly ListedTeam[] }): JSX.Element {
  const session = useSession();
  const [text, setText] = useState('');
  const found = foundTeams(teams, text, session.teams);
  return (
    <>
      <TextField
        label="Name or description"
        type="search"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <p role="status" className={ui['hint']}>
        {found.length > MAX_LISTED ? `The first ${MAX_LISTED} of ${found.length} teams.` : `Teams: ${found.length}.`}
      </p>
      <ul className={styles['list']}>
        {found.slice(0, MAX_LISTED).map(({ description, id, name, own }) => (
          <li key={id}>
            <PageLink to={paths.team(id)}>{name}</PageLink>
            <div className={ui['hint']}>
              {[own && `you are ${own === 'admin' ? 'an admin' : 'a member'}`, description].filter(Boolean).join(' · ')}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
