import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { useMayChangeSomeTeam } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { teamNamesQuery } from '../policies/queries.ts';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import type { Escalation } from './escalation-form.ts';
import styles from './escalations.module.css';
import { escalationsQuery } from './queries.ts';

/** All escalations, by name. */
export function EscalationsPage(): JSX.Element {
  const query = useQuery(escalationsQuery);
  const go = useGo();
  const mayAdd = useMayChangeSomeTeam();
  return (
    <>
      <PageHeading title="Escalations" />
      <p>An escalation says who is notified of an alert, and who after them while no one acknowledges it.</p>
      <p>
        <Button
          look="primary"
          disabledReason={mayAdd ? undefined : 'Only an admin of a team, or of the account, can add one.'}
          onClick={() => {
            go(paths.newEscalation());
          }}
        >
          Add an escalation
        </Button>
      </p>
      <TeamLinks />
      <Loaded query={query} height="16rem">
        {(escalations) =>
          escalations.length === 0 ? (
            <Empty title="No escalations">
              <p>Each new team gets one. Add others where alerts of a kind go to other people.</p>
            </Empty>
          ) : (
            <EscalationList escalations={escalations} />
          )
        }
      </Loaded>
    </>
  );
}

/** How many teams are listed. */
const MAX_TEAMS = 100;

/** Leads to the routing rules of the teams, those of the person first. */
function TeamLinks(): JSX.Element {
  const { teams } = useSession();
  const query = useQuery(teamNamesQuery);
  const own = new Set(teams.map(({ id }) => id));
  const listed = (query.data ?? []).toSorted((one, other) => Number(own.has(other.id)) - Number(own.has(one.id)));
  return (
    <details className={styles['teams']}>
      <summary>Routing rules of a team: which alerts go to which escalation</summary>
      {query.error !== null && <Problem error={query.error} />}
      <ul>
        {listed.slice(0, MAX_TEAMS).map(({ id, name }) => (
          <li key={id}>
            <PageLink to={paths.routing(id)}>{name}</PageLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How many are listed before a person searches. */
const MAX_LISTED = 200;

function EscalationList({ escalations }: { readonly escalations: readonly Escalation[] }): JSX.Element {
  const [text, setText] = useState('');
  const found = escalations.filter(({ name, ownerTeam }) =>
    `${name} ${ownerTeam?.name ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <>
      <TextField
        label="Name or team"
        type="search"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
      />
      <p role="status" className={ui['hint']}>
        {found.length > MAX_LISTED ? `The first ${MAX_LISTED} of ${found.length}.` : `Escalations: ${found.length}.`}
      </p>
      <ul className={styles['list']}>
        {found.slice(0, MAX_LISTED).map(({ id, name, ownerTeam, rules }) => (
          <li key={id}>
            <PageLink to={paths.escalation(id)}>{name}</PageLink>
            <div className={ui['hint']}>
              {ownerTeam?.name ?? 'No team'}, {rules.length === 1 ? 'one rule' : `${rules.length} rules`}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
