import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { windowsOnQuery } from './queries.ts';

/** Says beside alerts that some may be missing, because a window is on. Nothing where none is, or where that is not known. */
export function MaintenanceMark(): JSX.Element | undefined {
  const { data: count = 0 } = useQuery(windowsOnQuery);
  if (count === 0) return undefined;
  return (
    <p role="note">
      <PageLink to={paths.maintenance()}>
        {count === 1 ? 'A maintenance window is on' : `${count} maintenance windows are on`}
      </PageLink>
      , so some alerts may not be made.
    </p>
  );
}
