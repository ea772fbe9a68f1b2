import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { pageAfterSignIn, paths } from '../shell/paths.ts';
import { Problem } from '../ui/problem.tsx';
import styles from '../ui/ui.module.css';
import { begunState, providerAnswer, takePageAfterSignIn } from './openid.ts';
import { endedStore, sessionQuery } from './session.ts';

/** Where an OpenID provider leads back to. It sends the answer of the provider once, and takes it out of the address. */
export function OpenIdPage(): JSX.Element {
  const navigate = useNavigate();
  const go = useGo();
  const client = useQueryClient();
  const [answer] = useState(() => providerAnswer(window.location.search, begunState()));
  const isSent = useRef(false);
  const { error, mutate } = useMutation({
    mutationFn: (body: object) =>
      call<Answer<'redeem-openid-sign-in'>>({ method: 'POST', path: '/console/api/sign-in/openid/redeem', body }),
    onSuccess: async () => {
      endedStore.set(false);
      await client.resetQueries(sessionQuery);
      go(pageAfterSignIn(takePageAfterSignIn()), { replace: true });
    },
  });
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    void navigate({ to: '.', search: {}, replace: true });
    if (answer.kind !== 'signed-in') return;
    const { kind: _, ...body } = answer;
    mutate(body);
  }, [answer, mutate, navigate]);
  const hasFailed = answer.kind !== 'signed-in' || error !== null;
  return (
    <main id="content" className={styles['narrow']}>
      <PageHeading title="Sign in" />
      {answer.kind === 'refused' && <p role="alert">The provider did not sign you in. It says: “{answer.reason}”</p>}
      {answer.kind === 'none' && <p role="alert">This sign-in has expired or began in another browser. Begin again.</p>}
      {error !== null && <Problem error={error} />}
      {hasFailed ? (
        <p>
          <PageLink to={paths.signIn()}>Begin again, or sign in by a code</PageLink>
        </p>
      ) : (
        <p role="status">Signing in…</p>
      )}
    </main>
  );
}
