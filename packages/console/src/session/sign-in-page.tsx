import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type JSX, useEffect, useState } from 'react';
import { PageHeading } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { pageAfterSignIn } from '../shell/paths.ts';
import { Problem } from '../ui/problem.tsx';
import styles from '../ui/ui.module.css';
import { endedStore, sessionQuery } from './session.ts';
import { codeOfFragment } from './sign-in-code.ts';
import { OpenIdSignIn } from './openid-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Where a person signs in. Who is signed in already goes on to the page that they came for. */
export function SignInPage(): JSX.Element {
  const { from }: { readonly from?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = useGo();
  const client = useQueryClient();
  const [code] = useState(() => codeOfFragment(window.location.hash));
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [isSignedIn, setSignedIn] = useState(false);
  useEffect(() => {
    // A code stays in no history of the browser.
    if (window.location.hash !== '') void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [navigate]);
  useEffect(() => {
    if (session) go(pageAfterSignIn(from), { replace: true });
  }, [session, go, from]);
  return (
    <main id="content" className={styles['narrow']}>
      <PageHeading title="Sign in" />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {isSignedIn && session === undefined ? (
        error === null && <p role="status">Signing in…</p>
      ) : (
        <>
          <OpenIdSignIn pageAfterwards={pageAfterSignIn(from)} />
          <SignInForm
            code={code}
            onSignedIn={() => {
              endedStore.set(false);
              setSignedIn(true);
              void client.resetQueries(sessionQuery);
            }}
          />
        </>
      )}
    </main>
  );
}
