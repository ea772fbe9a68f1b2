import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type JSX, useEffect, useState } from 'react';
import { useChanges } from '../live/use-changes.ts';
import { endedStore, sessionQuery, type CurrentSession } from '../session/session.ts';
import { useSessionCheck } from '../session/use-session-check.ts';
import { SessionContext } from '../session/use-session.ts';
import { Skeleton } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { Banners } from './banners.tsx';
import { DialogBoundary } from './dialog-boundary.tsx';
import { Header } from './header.tsx';
import { lazyDialog } from './lazy-part.tsx';
import { useGo } from './link.tsx';
import { paths } from './paths.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazyDialog('palette', async () => (await import('./palette.tsx')).Palette);
const ShortcutHelp = lazyDialog('shortcut-help', async () => (await import('./shortcut-help.tsx')).ShortcutHelp);
const SessionEnded = lazyDialog(
  'session-ended',
  async () => (await import('../session/session-ended.tsx')).SessionEnded,
);

/** All pages of signed-in people: who is not signed in goes to the page to sign in, and comes back. */
export function AppLayout(): JSX.Element {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session) return <SignedInLayout session={session} />;
  if (session === null) return <ToSignIn />;
  return (
    <main id="content" className={styles['main']}>
      {error === null ? <Skeleton height="60vh" /> : <Problem error={error} onRetry={() => void refetch()} />}
    </main>
  );
}

/** Leads to the page to sign in, which leads back to the page that was asked for. */
function ToSignIn(): JSX.Element {
  const go = useGo();
  const { href } = useLocation();
  // The address changes while this page is left.
  const [from] = useState(href);
  useEffect(() => {
    go(paths.signIn(from), { replace: true });
  }, [go, from]);
  return <Skeleton height="60vh" />;
}

function SignedInLayout({ session }: { readonly session: CurrentSession }): JSX.Element {
  const [dialog, setDialog] = useState<'palette' | 'help'>();
  const isEnded = useStore(endedStore);
  const checkSession = useSessionCheck(session);
  useShortcuts(setDialog, dialog === undefined && !isEnded);
  useChanges();
  const close = () => {
    setDialog(undefined);
  };
  return (
    <SessionContext value={session}>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <Header
        session={session}
        onFind={() => {
          setDialog('palette');
        }}
        onHelp={() => {
          setDialog('help');
        }}
      />
      <Banners />
      <main id="content" tabIndex={-1} className={styles['main']}>
        <Outlet />
      </main>
      <DialogBoundary key={isEnded ? 'ended' : (dialog ?? 'none')} onFail={close}>
        {dialog === 'palette' && !isEnded && <Palette onClose={close} />}
        {dialog === 'help' && !isEnded && <ShortcutHelp onClose={close} />}
        {isEnded && <SessionEnded username={session.user.username} onSignedIn={checkSession} />}
      </DialogBoundary>
    </SessionContext>
  );
}
