import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endedStore, noteEnd } from '../session/session.ts';
import { ChangeReader } from './change-reader.ts';
import { followChanges } from './change-stream.ts';

/** Keeps what the page shows up to date while it is visible and the session goes on. */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const reader = new ChangeReader({ client, follow: followChanges, onFailure: noteEnd });
    const look = () => {
      if (document.visibilityState === 'visible' && !endedStore.get()) reader.start();
      else reader.stop();
    };
    look();
    document.addEventListener('visibilitychange', look);
    const unsubscribe = endedStore.subscribe(look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      unsubscribe();
      reader.stop();
    };
  }, [client]);
}
