import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Alert } from '../alerts/queries.ts';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { countdownText, type NextPage as Next } from './countdown.ts';
import styles from './explanation.module.css';
import { nextPageQuery } from './queries.ts';

/** When the alert pages again and whom, if no person acts. */
export function NextPage({ alert }: { readonly alert: Alert }): JSX.Element {
  const query = useQuery(nextPageQuery(alert));
  return (
    <section aria-label="Next page" className={styles['next']}>
      <Loaded query={query} height="3rem">
        {({ data }) => <Countdown next={data} />}
      </Loaded>
    </section>
  );
}

function Countdown({ next }: { readonly next: Next }): JSX.Element {
  const now = useNow(1_000);
  return (
    <p className={styles['count']}>
      {/* A timer is not read out each time that it changes. */}
      <strong role="timer">{countdownText(next, now)}</strong> {next.text}
      {next.at !== undefined && (
        <span className={ui['hint']}>
          {' '}
          Due <Instant at={next.at} />.
        </span>
      )}
    </p>
  );
}
