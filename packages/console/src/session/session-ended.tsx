import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { paths } from '../shell/paths.ts';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SessionEndedProps {
  readonly username: string;
  /** Reads the session that begins with the sign-in. */
  readonly onSignedIn: () => Promise<void>;
}

/** Lets a person whose session has ended sign in again over their page, which keeps what they typed. */
export function SessionEnded({ onSignedIn, username }: SessionEndedProps): JSX.Element {
  const { error, isPending, mutate: resume } = useMutation({ mutationFn: onSignedIn });
  return (
    <Modal title="Your session has ended">
      <p>Sign in again to go on. This page, and what you typed, stays as it is.</p>
      <p>
        <a href={`/console${paths.signIn()}`} target="_blank" rel="noreferrer">
          Sign in another way, in a new tab
        </a>
      </p>
      {error !== null && (
        <Problem
          error={error}
          onRetry={() => {
            resume();
          }}
        />
      )}
      {isPending && <p role="status">Signing in…</p>}
      {/* After the sign-in only the read of the session can be missing. */}
      {!isPending && error === null && (
        <SignInForm
          username={username}
          onSignedIn={() => {
            resume();
          }}
        />
      )}
    </Modal>
  );
}
