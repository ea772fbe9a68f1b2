import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { useMayChangeSomeTeam } from '../session/use-rights.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { type Schedule, schedulesQuery } from './queries.ts';
import styles from './schedules.module.css';

/** How many are listed before a person searches. */
const MAX_LISTED = 200;

/** All schedules, by name. */
export function SchedulesPage(): JSX.Element {
  const query = useQuery(schedulesQuery);
  const go = useGo();
  const mayAdd = useMayChangeSomeTeam();
  return (
    <>
      <PageHeading title="Schedules" />
      <p>
        <Button
          look="primary"
          disabledReason={mayAdd ? undefined : 'Only an admin of a team, or of the account, can add one.'}
          onClick={() => {
            go(paths.newSchedule());
          }}
        >
          Add a schedule
        </Button>
      </p>
      <Loaded query={query} height="16rem">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No schedules">
              <p>A schedule says who is on call when. Add one, with the people who take turns in it.</p>
            </Empty>
          ) : (
            <ScheduleList schedules={data} />
          )
        }
      </Loaded>
    </>
  );
}

function ScheduleList({ schedules }: { readonly schedules: readonly Schedule[] }): JSX.Element {
  const [text, setText] = useState('');
  const found = schedules
    .filter(({ name, ownerTeam }) =>
      `${name} ${ownerTeam?.name ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <>
      <TextField
        label="Name or team"
        type="search"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <p role="status" className={ui['hint']}>
        {found.length > MAX_LISTED
          ? `The first ${MAX_LISTED} of ${found.length} schedules.`
          : `Schedules: ${found.length}.`}
      </p>
      <ul className={styles['list']}>
        {found.slice(0, MAX_LISTED).map(({ enabled, id, name, ownerTeam, timezone }) => (
          <li key={id}>
            <PageLink to={paths.schedule(id)}>{name}</PageLink>
            <div className={ui['hint']}>
              {ownerTeam?.name ?? 'No team'}, {timezone}
              {!enabled && ', disabled'}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
