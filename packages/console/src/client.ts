import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './api/call-error.ts';
import { noteEnd } from './session/session.ts';

/** How often a read is repeated at once; the page reads again later anyway. */
const RETRIES = 1;
/** For how long an answer serves another page without a read. */
const FRESH_MS = 2_000;

/** Reads and writes of all pages. Each failure says whether the session goes on. */
export function createClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteEnd }),
    mutationCache: new MutationCache({ onError: noteEnd }),
    defaultOptions: {
      queries: {
        // What the browser says of the network can be wrong; a call that fails is certain.
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES && error instanceof CallError && error.failure === 'unavailable',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
