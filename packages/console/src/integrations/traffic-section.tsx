import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './integrations.module.css';
import { type Traffic, trafficQuery } from './queries.ts';
import { refusalText, trafficCounts } from './traffic.ts';

/** When and how much an integration was used. */
export function TrafficSection({ integrationId }: { readonly integrationId: string }): JSX.Element {
  const query = useQuery(trafficQuery(integrationId));
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic">Traffic</h2>
      <Loaded query={query} height="9rem">
        {(traffic) => <TrafficFacts traffic={traffic} />}
      </Loaded>
    </section>
  );
}

function TrafficFacts({ traffic }: { readonly traffic: Traffic }): JSX.Element {
  const { lastAlertAt, lastRefusal, lastRequestAt } = traffic;
  return (
    <dl className={styles['facts']}>
      <dt>Last alert</dt>
      <dd>{lastAlertAt === undefined ? 'none yet' : <Instant at={lastAlertAt} />}</dd>
      {lastRequestAt !== undefined && (
        <>
          <dt>Last used</dt>
          <dd>
            <Instant at={lastRequestAt} />
          </dd>
        </>
      )}
      {lastRefusal !== undefined && (
        <>
          <dt>Last refused</dt>
          <dd>
            <Instant at={lastRefusal.at} />: {refusalText(lastRefusal.status)}, {lastRefusal.operation}
          </dd>
        </>
      )}
      {trafficCounts(traffic, serverNow()).map(([name, text]) => (
        <Count key={name} name={name} text={text} />
      ))}
    </dl>
  );
}

function Count({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}
