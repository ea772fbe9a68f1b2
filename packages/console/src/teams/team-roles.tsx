import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import { teamRolesQuery } from './queries.ts';
import styles from './teams.module.css';

/** The roles that clients keep inside a team. */
export function TeamRoles({ teamId }: { readonly teamId: string }): JSX.Element {
  const query = useQuery(teamRolesQuery(teamId));
  return (
    <section aria-labelledby="team-roles">
      <h2 id="team-roles">Roles of the team</h2>
      <p className={ui['hint']}>
        A member is a member or an admin. Further roles are kept for clients of the API, and grant no rights.
      </p>
      <Loaded query={query} height="3rem">
        {({ data }) =>
          data.length === 0 ? (
            <p className={ui['hint']}>No further roles.</p>
          ) : (
            <ul className={styles['list']}>
              {data.map(({ id, name, rights }) => (
                <li key={id}>
                  {name}
                  <div className={ui['hint']}>
                    {rights.map(({ granted, right }) => `${right}: ${granted ? 'yes' : 'no'}`).join(', ')}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
