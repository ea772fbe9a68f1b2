import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { agoText } from '../ui/time.ts';
import { Instant } from '../ui/instant.tsx';
import { useNow } from '../ui/use-now.ts';
import styles from './sessions.module.css';
import { useSignOut } from './sign-out.ts';

type ListedSession = Answer<'list-sessions'>['data'][number];

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<Answer<'list-sessions'>>({ path: '/console/api/sessions', signal }),
});

/** Where a person is signed in, and the way to end each of these sessions. */
export function SessionsPage(): JSX.Element {
  const query = useQuery(sessionsQuery);
  return (
    <>
      <PageHeading title="Sessions" />
      <p>Where you are signed in. End each session that you do not know.</p>
      <Loaded query={query} height="12rem">
        {({ data }) => (
          <ul className={styles['list']}>
            {data.toReversed().map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function SessionItem({ session }: { readonly session: ListedSession }): JSX.Element {
  const client = useQueryClient();
  const signOut = useSignOut();
  const now = useNow(60_000);
  const end = useMutation({
    mutationFn: () => call({ method: 'DELETE', path: `/console/api/sessions/${session.id}` }),
    onSuccess: async () => {
      announce(`The session of ${session.browser} was ended.`);
      await client.invalidateQueries(sessionsQuery);
    },
  });
  const { error, isPending } = session.isCurrent ? signOut : end;
  return (
    <li className={styles['item']}>
      <div>
        <strong>{session.browser}</strong>
        {session.isCurrent && ' (this one)'}
        <div className={styles['facts']}>
          from {session.address}, used {agoText(Date.parse(session.lastUsedAt), now)}, signed in{' '}
          <Instant isToMinute at={session.createdAt} />, ends <Instant isToMinute at={session.expiresAt} />
        </div>
        {error !== null && <Problem error={error} />}
      </div>
      <Button
        aria-label={
          session.isCurrent ? 'Sign out of this session' : `End this session: ${session.browser}, ${session.address}`
        }
        disabledReason={isPending ? 'The server is answering.' : undefined}
        onClick={() => {
          (session.isCurrent ? signOut : end).mutate();
        }}
      >
        {session.isCurrent ? 'Sign out' : 'End this session'}
      </Button>
    </li>
  );
}
