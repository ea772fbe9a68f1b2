import { createContext, useContext } from 'react';
import type { CurrentSession } from './session.ts';

/** The signed-in person, for all pages but the one to sign in. */
export const SessionContext = createContext<CurrentSession | undefined>(undefined);

export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This page is shown to signed-in people only.');
  return session;
}
