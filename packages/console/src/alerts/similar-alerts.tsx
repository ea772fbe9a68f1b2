import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useNow } from '../ui/use-now.ts';
import { stateText } from './alert-state.ts';
import { type Alert, similarQuery } from './queries.ts';
import { similarSearch } from './similar.ts';

/** The most similar alerts that are listed; a link leads to all. */
const MAX_LISTED = 5;

/** Other open alerts about the same. Nothing where there is none. */
export function SimilarAlerts({ alert }: { readonly alert: Alert }): JSX.Element {
  const now = useNow(10_000);
  const search = similarSearch(alert);
  const found = useQuery(similarQuery(search)).data?.data.filter(({ id }) => id !== alert.id) ?? [];
  if (found.length === 0) return <></>;
  return (
    <section aria-label="Similar open alerts">
      <h2>Similar open alerts</h2>
      <ul>
        {found.slice(0, MAX_LISTED).map((each) => (
          <li key={each.id}>
            {each.priority} <PageLink to={paths.alert(each.id)}>{each.message}</PageLink>, {stateText(each, now)}
          </li>
        ))}
      </ul>
      <p>
        <PageLink to={paths.alerts(search)}>Search for all of them</PageLink>
      </p>
    </section>
  );
}
