import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Problem } from '../ui/problem.tsx';
import { PageHeading } from './announcer.tsx';
import { PageLink } from './link.tsx';
import { paths } from './paths.ts';

/** In the place of a page that failed; the rest of the console goes on. */
export function ErrorPage({ error, reset }: ErrorComponentProps): JSX.Element {
  const router = useRouter();
  return (
    <>
      <PageHeading title="This page failed" />
      <Problem
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </>
  );
}

export function NotFoundPage(): JSX.Element {
  return (
    <>
      <PageHeading title="There is no such page" />
      <p>
        The address may be wrong, or the page may be gone. Go to <PageLink to={paths.alerts()}>Alerts</PageLink>.
      </p>
    </>
  );
}
