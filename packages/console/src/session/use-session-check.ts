import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { leave } from './leave.ts';
import { compareSession, type CurrentSession, endedStore, readSession, sessionQuery } from './session.ts';

/**
 * Keeps the page to the person whom it was shown to: another tab can end the session, begin it again, or begin that of another person.
 * The session is read when the page gets the focus, and when the returned function is called.
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
