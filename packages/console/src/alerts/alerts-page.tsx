import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type JSX, useState, useSyncExternalStore } from 'react';
import { useStaleAgeMs } from '../live/data-age.ts';
import { useSession } from '../session/use-session.ts';
import { MaintenanceMark } from '../maintenance/mark.tsx';
import { PageHeading } from '../shell/announcer.tsx';
import { noTeamsQuery } from '../set-up/queries.ts';
import { setUpRefused } from '../set-up/set-up-rights.ts';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Skeleton } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { AlertSearch } from './alert-search.tsx';
import { mine, OPEN, queryFault } from './alert-state.ts';
import { AlertTable } from './alert-table.tsx';
import styles from './alerts.module.css';
import { BulkActions } from './bulk-actions.tsx';
import { selectedAfter } from './bulk.ts';
import { waitingText } from './rows.ts';
import { useAlerts } from './use-alerts.ts';

/** How far a list is scrolled when new alerts begin to wait. */
const SCROLLED_PX = 120;

const watchScroll = (watch: () => void) => {
  window.addEventListener('scroll', watch, { passive: true });
  return () => {
    window.removeEventListener('scroll', watch);
  };
};
const isScrolledNow = () => window.scrollY > SCROLLED_PX;

const NONE: ReadonlySet<string> = new Set();

/** What needs a person now. */
export function AlertsPage(): JSX.Element {
  const { query: given }: { readonly query?: string } = useSearch({ strict: false });
  const query = given ?? OPEN;
  const { user } = useSession();
  const [selection, setSelection] = useState({ query, ids: NONE });
  const selected = selection.query === query ? selection.ids : NONE;
  const isScrolled = useSyncExternalStore(watchScroll, isScrolledNow);
  const alerts = useAlerts(query, isScrolled, selected);
  const fault = queryFault(alerts.error);
  const select = (ids: ReadonlySet<string>) => {
    setSelection({ query, ids });
  };
  return (
    <>
      <PageHeading title="Alerts" />
      <MaintenanceMark />
      <AlertSearch query={query} username={user.username} fault={fault} />
      {alerts.error !== null && fault === undefined && alerts.rows === undefined && (
        <Problem error={alerts.error} onRetry={alerts.retry} />
      )}
      <div className={styles['bar']}>
        <BulkActions
          selected={(alerts.rows ?? []).map(({ alert }) => alert).filter(({ id }) => selected.has(id))}
          onSelect={select}
          onResult={(result) => {
            setSelection((now) => ({ ...now, ids: selectedAfter(now.ids, result) }));
          }}
        />
        <div role="status">
          {alerts.waiting.length > 0 && (
            <Button
              look="primary"
              onClick={() => {
                alerts.showWaiting();
                window.scrollTo({ top: 0 });
              }}
            >
              Show {waitingText(alerts.waiting)}
            </Button>
          )}
        </div>
      </div>
      {alerts.rows === undefined && alerts.error === null && <Skeleton height="60vh" />}
      {alerts.rows?.length === 0 && <NoAlerts query={query} username={user.username} />}
      {alerts.rows !== undefined && alerts.rows.length > 0 && (
        <AlertTable
          rows={alerts.rows}
          total={alerts.total}
          selected={selected}
          onSelect={select}
          onEnd={alerts.loadMore}
        />
      )}
      {alerts.restError !== null && <Problem error={alerts.restError} onRetry={alerts.retryRest} />}
    </>
  );
}

function NoAlerts({ query, username }: { readonly query: string; readonly username: string }): JSX.Element {
  const isFresh = useStaleAgeMs() === undefined;
  if (query === mine(username)) {
    return (
      <Empty title="No open alert is yours">
        <p>Alerts whose owner you are come up here by themselves.</p>
      </Empty>
    );
  }
  return query === OPEN ? (
    <Empty title={isFresh ? 'No open alerts' : 'No open alerts when this was read'}>
      {isFresh && <p>Nothing needs you now. New alerts come up here by themselves.</p>}
      <FirstSteps />
      <p>
        Tools send alerts to an <PageLink to={paths.integrations()}>integration</PageLink>: with its API key, by mail or
        by webhook. See also the <a href="/docs">documentation of the API</a>.
      </p>
    </Empty>
  ) : (
    <Empty title="No alert matches this search">
      <p>
        A search has fields and words, such as <code>status:open AND priority:(P1 OR P2)</code>, <code>tag:disk</code>{' '}
        or <code>message:&quot;queue is long&quot;</code>.
      </p>
    </Empty>
  );
}

/** The way to the set-up, for those who can do it, while the account has no team. */
function FirstSteps(): JSX.Element | undefined {
  const { role } = useSession();
  const noTeams = useQuery({ ...noTeamsQuery, enabled: setUpRefused(role) === undefined });
  if (noTeams.data !== true) return undefined;
  return (
    <p>
      This account has no team yet. <PageLink to={paths.setUp()}>Set up Tocsin in five steps</PageLink>.
    </p>
  );
}
