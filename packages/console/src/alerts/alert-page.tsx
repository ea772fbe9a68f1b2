import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Fragment, type JSX } from 'react';
import { NextPage } from '../explanation/next-page.tsx';
import { ServerText } from '../explanation/server-text.tsx';
import { Why } from '../explanation/why.tsx';
import { AlertFiles } from '../files/alert-files.tsx';
import { ResponderLink } from '../people/responder-link.tsx';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { agoText, lengthText } from '../ui/time.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { stateText } from './alert-state.ts';
import styles from './alerts.module.css';
import { MoreActions } from './more-actions.tsx';
import { NoteForm } from './note-form.tsx';
import { historyOf, missingTexts } from './history.ts';
import { type Alert, alertQuery, logQuery, notesQuery } from './queries.ts';
import { SimilarAlerts } from './similar-alerts.tsx';
import { useAlertWrite } from './use-alert-write.ts';

/** What happened, and what was done about it. */
export function AlertPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(alertQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.alerts()}>All alerts</PageLink>
      </p>
      <PageHeading key={id} title={query.data?.data.message ?? 'Alert'} isReady={!query.isPending} />
      <Loaded query={query} height="20rem">
        {({ data: alert }) => (
          <>
            <AlertActions alert={alert} />
            <MoreActions key={`actions-${alert.id}`} alert={alert} />
            {alert.status === 'open' && <NextPage alert={alert} />}
            <AlertFacts alert={alert} />
            <NoteForm key={alert.id} alert={alert} />
            <Why key={`why-${alert.id}`} id={alert.id} />
            <SimilarAlerts alert={alert} />
            <AlertFiles alert={alert} />
            <History key={`history-${alert.id}`} alert={alert} />
          </>
        )}
      </Loaded>
    </>
  );
}

const DONE = { acknowledge: 'Acknowledged.', close: 'Closed.' };

function AlertActions({ alert }: { readonly alert: Alert }): JSX.Element {
  // The link of a message leads here to acknowledge; only the button does.
  const { ready }: { readonly ready?: string } = useSearch({ strict: false });
  const roleRefused = useAlertChangesRefused();
  const write = useAlertWrite(({ action }) => {
    if (action === 'acknowledge' || action === 'close') announce(DONE[action]);
  });
  const refused = roleRefused ?? (write.isPending ? 'The last action is under way.' : undefined);
  const closed = alert.status === 'closed' ? 'The alert is closed.' : undefined;
  const acknowledged = alert.acknowledged ? 'The alert is acknowledged.' : undefined;
  const act = (action: keyof typeof DONE) => () => {
    write.mutate({ id: alert.id, action });
  };
  return (
    <>
      <div className={styles['actions']}>
        <Button
          look="primary"
          autoFocus={ready === 'acknowledge'}
          disabledReason={closed ?? acknowledged ?? refused}
          onClick={act('acknowledge')}
        >
          Acknowledge
        </Button>
        <Button disabledReason={closed ?? refused} onClick={act('close')}>
          Close
        </Button>
      </div>
      {write.error !== null && <Problem error={write.error} />}
      {write.data?.fault !== undefined && (
        <p role="alert" className={ui['error']}>
          {write.data.fault}
        </p>
      )}
    </>
  );
}

function AlertFacts({ alert }: { readonly alert: Alert }): JSX.Element {
  const now = useNow(10_000);
  const facts: readonly Fact[] = [
    ['State', stateText(alert, now)],
    ['Priority', alert.priority],
    ['Owner', alert.owner === '' ? 'none' : alert.owner],
    [
      'Created',
      <>
        <Instant at={alert.createdAt} /> ({lengthText(now - Date.parse(alert.createdAt))} ago)
      </>,
    ],
    ['Occurrences', `${alert.count}, last ${agoText(Date.parse(alert.lastOccurredAt), now)}`],
    ['Source', alert.source],
    ['Integration', <PageLink to={paths.integration(alert.integration.id)}>{alert.integration.name}</PageLink>],
    ...responderFacts(alert),
    ['Entity', alert.entity],
    ['Tags', alert.tags.join(', ')],
    ['Alias', alert.alias],
    ['Number', alert.tinyId],
  ];
  // The sender chose these names; one may be that of a fact above.
  const details = Object.entries(alert.details);
  return (
    <div className={ui['card']}>
      {alert.description !== '' && <p className={styles['description']}>{alert.description}</p>}
      <FactList facts={facts.filter(([, value]) => value !== '')} />
      {details.length > 0 && (
        <>
          <h2>Details</h2>
          <FactList facts={details} />
        </>
      )}
    </div>
  );
}

/** The teams and the other responders of an alert, with links to their pages. */
function responderFacts({ responders, teams }: Alert): readonly Fact[] {
  const linksTo = (those: Alert['responders']) => (
    <ul className={styles['links']}>
      {those.map((responder) => (
        <li key={`${responder.type} ${responder.id}`}>
          <ResponderLink responder={responder} />
        </li>
      ))}
    </ul>
  );
  const others = responders.filter(({ type }) => type !== 'team');
  return [
    ...(teams.length === 0 ? [] : [['Teams', linksTo(teams.map(({ id }) => ({ type: 'team', id })))] as const]),
    ...(others.length === 0 ? [] : [['Responders', linksTo(others)] as const]),
  ];
}

type Fact = readonly [name: string, value: JSX.Element | string];

function FactList({ facts }: { readonly facts: readonly Fact[] }): JSX.Element {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** What happened, with what is missing of it. */
function History({ alert }: { readonly alert: Alert }): JSX.Element {
  const log = useQuery(logQuery(alert));
  const notes = useQuery(notesQuery(alert));
  return (
    <>
      <h2>Log</h2>
      <Loaded query={log} height="20rem">
        {(answer) => (
          <>
            {missingTexts(answer, notes).map((text) => (
              <p key={text} className={ui['hint']}>
                {text}
              </p>
            ))}
            <ol className={styles['log']}>
              {historyOf(answer.data, notes.data?.data ?? []).map((entry) => (
                <li key={entry.key} data-type={entry.kind}>
                  <Instant at={entry.at} />
                  {entry.by !== undefined && (
                    <span className={styles['by']}>
                      <bdi>{entry.by}</bdi>:
                    </span>
                  )}{' '}
                  {entry.kind === 'note' && 'Note: '}
                  {/* Its lines and marks of direction stay within it, so that it cannot look like another entry. */}
                  <bdi className={styles['entry']}>
                    {entry.by === undefined ? <ServerText text={entry.text} /> : entry.text}
                  </bdi>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </>
  );
}
