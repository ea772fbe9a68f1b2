import { useQueryClient } from '@tanstack/react-query';
import { type JSX, useCallback, useEffect } from 'react';
import { paths } from '../shell/paths.ts';
import { Modal } from '../ui/modal.tsx';
import { type CurrentSession, endedStore, readSession, sessionQuery } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Lets a person whose session has ended sign in again over their page, which keeps what they typed. */
export function SessionEnded({ session }: { readonly session: CurrentSession }): JSX.Element {
  const client = useQueryClient();
  const resume = useCallback(async () => {
    const next = await readSession();
    if (next === null) return;
    // Another person sees nothing of what the one before them read.
    if (next.user.id !== session.user.id) client.clear();
    client.setQueryData(sessionQuery.queryKey, next);
    endedStore.set(false);
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }, [client, session.user.id]);
  useEffect(() => {
    // The person may have signed in in another tab.
    const look = () => {
      resume().catch(() => undefined);
    };
    window.addEventListener('focus', look);
    return () => {
      window.removeEventListener('focus', look);
    };
  }, [resume]);
  return (
    <Modal title="Your session has ended">
      <p>Sign in again to go on. This page, and what you typed, stays as it is.</p>
      <p>
        <a href={`/console${paths.signIn()}`} target="_blank" rel="noreferrer">
          Sign in another way, in a new tab
        </a>
      </p>
      <SignInForm username={session.user.username} onSignedIn={() => void resume()} />
    </Modal>
  );
}
