import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { outageStore } from '../live/connection.ts';
import { LIVE } from '../live/use-changes.ts';
import { Button } from '../ui/button.tsx';
import { agoText } from '../ui/time.ts';
import { useNow } from '../ui/use-now.ts';
import { newVersionStore } from './new-version.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';

/** What holds for the whole page: that the server does not answer, and that there is a newer version of the page. */
export function Banners(): JSX.Element {
  const hasNewVersion = useStore(newVersionStore);
  const outage = useStore(outageStore);
  return (
    <div role="status">
      {outage !== undefined && <OutageBanner outage={outage} />}
      {hasNewVersion && (
        <div className={styles['banner']}>
          <p>There is a newer version of this page. Save what you typed, then reload.</p>
          <Button
            onClick={() => {
              window.location.reload();
            }}
          >
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}

const TEXT = {
  offline: 'The server cannot be reached. Check the connection of this device.',
  away: 'A part of the server does not answer.',
};

function OutageBanner({ outage }: { readonly outage: keyof typeof TEXT }): JSX.Element {
  const client = useQueryClient();
  const now = useNow(5_000);
  const isReading = useIsFetching() > 0;
  const readAt = client
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.['live'] === LIVE.live })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0);
  return (
    <div className={styles['banner']}>
      <p>
        {TEXT[outage]} {readAt.length > 0 && `What you see was read ${agoText(Math.min(...readAt), now)}. `}
        This page goes on trying.
      </p>
      <Button
        disabledReason={isReading ? 'The page is trying now.' : undefined}
        onClick={() => void client.refetchQueries({ type: 'active' })}
      >
        Try now
      </Button>
    </div>
  );
}
