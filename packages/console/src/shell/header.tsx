import { useLocation } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { CurrentSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { problemText } from '../api/problem-text.ts';
import { PageLink } from './link.tsx';
import { MorePages } from './more-pages.tsx';
import { currentMark, PAGES } from './pages.ts';
import { paths } from './paths.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';
import { chooseTheme, themeAfter, themeStore } from './theme.ts';

interface HeaderProps {
  readonly session: CurrentSession;
  readonly onFind: () => void;
  readonly onHelp: () => void;
}

export function Header({ onFind, onHelp, session }: HeaderProps): JSX.Element {
  const { pathname } = useLocation();
  const signOut = useSignOut();
  const theme = useStore(themeStore);
  // On a phone these three are in the list of pages.
  const shortcuts = (
    <Button look="plain" onClick={onHelp} aria-keyshortcuts="?">
      Shortcuts
    </Button>
  );
  const themes = (
    <Button
      look="plain"
      aria-label={`Theme: ${THEME_NAMES[theme]}. Change to ${THEME_NAMES[themeAfter(theme)]}.`}
      onClick={() => {
        chooseTheme(themeAfter(theme));
      }}
    >
      Theme: {THEME_NAMES[theme]}
    </Button>
  );
  const leave = (
    <Button
      look="plain"
      disabledReason={signOut.isPending ? 'The server is answering.' : undefined}
      onClick={() => {
        signOut.mutate();
      }}
    >
      Sign out
    </Button>
  );
  return (
    <header className={styles['header']}>
      <span className={styles['name']}>Tocsin</span>
      <nav aria-label="Pages" className={styles['nav']}>
        <ul>
          {PAGES.filter(({ isMain }) => isMain).map(({ name, path }) => (
            <li key={path}>
              <PageLink to={path} aria-current={currentMark(path, pathname)}>
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
        <MorePages shown={pathname}>
          <div className={styles['narrow']}>
            {shortcuts}
            {themes}
            {leave}
          </div>
        </MorePages>
      </nav>
      <div className={styles['tools']}>
        <Button look="plain" onClick={onFind} aria-keyshortcuts="Control+K Meta+K">
          Find
        </Button>
        <span className={styles['wide']}>{shortcuts}</span>
        <span className={styles['wide']}>{themes}</span>
        <PageLink
          to={paths.me()}
          className={styles['person']}
          title={session.user.username}
          aria-label={`${session.user.fullName}: how you are reached`}
        >
          {session.user.fullName}
        </PageLink>
        <span className={styles['wide']}>{leave}</span>
      </div>
      {signOut.error !== null && <p role="alert">You are not signed out. {problemText(signOut.error).what}</p>}
    </header>
  );
}

const THEME_NAMES = { system: 'auto', light: 'light', dark: 'dark' };
