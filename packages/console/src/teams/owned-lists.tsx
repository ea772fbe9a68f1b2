import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import type { Owned } from './owned.ts';
import { OWNED_KINDS, type OwnedKind, ownedQuery } from './queries.ts';
import styles from './teams.module.css';

interface OwnedListsProps {
  readonly teamId: string;
  /** Why the person cannot change what the team owns. */
  readonly refused: string | undefined;
}

/** What a team runs: a list of each kind. */
export function OwnedLists({ refused, teamId }: OwnedListsProps): JSX.Element {
  const go = useGo();
  const addSchedule = (
    <Button
      disabledReason={refused}
      onClick={() => {
        go(paths.newSchedule(teamId));
      }}
    >
      Add a schedule
    </Button>
  );
  return (
    <div className={styles['owned']}>
      {OWNED_KINDS.map((kind) => (
        <OwnedList key={kind} teamId={teamId} kind={kind} add={kind === 'Schedules' ? addSchedule : undefined} />
      ))}
    </div>
  );
}

/** How many of a kind are listed. */
const MAX_LISTED = 100;

interface OwnedListProps {
  readonly teamId: string;
  readonly kind: OwnedKind;
  /** The way to add one. */
  readonly add: JSX.Element | undefined;
}

function OwnedList({ add, kind, teamId }: OwnedListProps): JSX.Element {
  const query = useQuery(ownedQuery(teamId, kind));
  return (
    <section aria-label={kind}>
      <h2>{kind}</h2>
      <Loaded query={query} height="3rem">
        {(owned) =>
          owned.length === 0 ? (
            <p className={ui['hint']}>None.</p>
          ) : (
            <>
              <ul className={styles['list']}>
                {owned.slice(0, MAX_LISTED).map((each) => (
                  <OwnedItem key={each.key} owned={each} />
                ))}
              </ul>
              {owned.length > MAX_LISTED && <p>And {owned.length - MAX_LISTED} more.</p>}
            </>
          )
        }
      </Loaded>
      {add}
    </section>
  );
}

function OwnedItem({ owned: { name, note, path } }: { readonly owned: Owned }): JSX.Element {
  return (
    <li>
      {path === undefined ? name : <PageLink to={path}>{name}</PageLink>}
      {note !== undefined && <div className={ui['hint']}>{note}</div>}
    </li>
  );
}
