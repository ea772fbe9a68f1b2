import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, type JSX } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './session/session.ts';
import './ui/theme.css';

function FirstPage(): JSX.Element {
  const { data: session, error, isPending } = useQuery(sessionQuery);
  return (
    <main>
      <h1>Tocsin</h1>
      {isPending && <p role="status">Loading…</p>}
      {error !== null && <p role="alert">{error.message}</p>}
      {session === null && <a href="/console/sign-in">Sign in</a>}
      {session && <p>Signed in as {session.user.fullName}.</p>}
    </main>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <FirstPage />
    </QueryClientProvider>
  </StrictMode>,
);
