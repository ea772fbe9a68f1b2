import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { leave } from './leave.ts';
import { compareSession, type CurrentSession, endedStore, readSession, sessionQuery } from './session.ts';

/** Of the read of the session after its person was changed, which a write of them asks for. */
export const SESSION_CHECK = ['session', 'check'] as const;

/**
 * Keeps the page to the person whom it was shown to: another tab can end the session, begin it again, or begin that of another person.
 * The session is read when the page gets the focus, when its person was changed, so that the page has their name and role, and when the
 * returned function is called.
 */
export function useSessionCheck(shown: CurrentSession): () => Promise<void> {
  const client = useQueryClient();
  const checks = useRef(0);
  const check = useCallback(async () => {
    const number = (checks.current += 1);
    const found = compareSession(shown, await readSession());
    // A later check has read what holds now.
    if (number !== checks.current) return;
    if (found.kind === 'other') leave();
    else if (found.kind === 'ended') endedStore.set(true);
    else {
      client.setQueryData(sessionQuery.queryKey, found.session);
      if (!endedStore.get()) return;
      endedStore.set(false);
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    }
  }, [client, shown]);
  useQuery({
    queryKey: SESSION_CHECK,
    queryFn: async () => {
      await check();
      return null;
    },
    // The session that the page was shown to was just read.
    initialData: null,
    staleTime: Infinity,
    meta: { follows: { kinds: ['users'], id: shown.user.id } },
  });
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') check().catch(() => undefined);
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [check]);
  return check;
}
