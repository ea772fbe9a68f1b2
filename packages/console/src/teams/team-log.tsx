import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import { teamLogQuery } from './queries.ts';
import styles from './teams.module.css';

/** What was done to a team and by whom, newest first. */
export function TeamLog({ teamId }: { readonly teamId: string }): JSX.Element {
  return (
    <section aria-labelledby="team-log">
      <h2 id="team-log">Log</h2>
      <LogPart teamId={teamId} offset={undefined} />
    </section>
  );
}

interface LogPartProps {
  readonly teamId: string;
  /** That of the part before it. */
  readonly offset: string | undefined;
}

/** A part of the log, and the older parts that its person asked for. */
function LogPart({ offset, teamId }: LogPartProps): JSX.Element {
  const query = useQuery(teamLogQuery(teamId, offset));
  const [older, setOlder] = useState<string>();
  return (
    <Loaded query={query} height="10rem">
      {({ data: { logs, offset: next } }) => (
        <>
          <ul className={styles['list']}>
            {logs.map(({ createdDate, log, owner }, index) => (
              <li key={`${createdDate} ${index}`}>
                {log}
                <div className={ui['hint']}>
                  <Instant at={createdDate} />, {owner}
                </div>
              </li>
            ))}
          </ul>
          {older !== undefined && <LogPart teamId={teamId} offset={older} />}
          {older === undefined && next !== undefined && (
            <Button
              onClick={() => {
                setOlder(next);
              }}
            >
              Show older entries
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
