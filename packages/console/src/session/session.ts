import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { createStore } from '../shell/store.ts';

export type CurrentSession = Answer<'get-session'>['data'];

/** The signed-in person, or null. Their sign-in and sign-out change it, and a call that says that the session has ended does not. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Infinity,
  gcTime: Infinity,
});

export async function readSession(signal?: AbortSignal): Promise<CurrentSession | null> {
  try {
    return (await call<Answer<'get-session'>>({ path: '/console/api/session', ...(signal && { signal }) })).data;
  } catch (error) {
    if (error instanceof CallError && error.failure === 'ended') return null;
    throw error;
  }
}

/** Who uses the page by now, compared with the person whom it was shown to. */
export type SessionCheck =
  { readonly kind: 'same'; readonly session: CurrentSession } | { readonly kind: 'other' } | { readonly kind: 'ended' };

/** @param shown - the person whom the page was shown to */
export function compareSession(shown: CurrentSession, read: CurrentSession | null): SessionCheck {
  if (read === null) return { kind: 'ended' };
  return read.user.id === shown.user.id ? { kind: 'same', session: read } : { kind: 'other' };
}

/** Whether the session ended while its person was at a page. The page stays, and asks them to sign in again. */
export const endedStore = createStore(false);

/** Notes a failed call that shows that the session has ended. */
export function noteEnd(error: unknown): void {
  if (error instanceof CallError && error.failure === 'ended') endedStore.set(true);
}
