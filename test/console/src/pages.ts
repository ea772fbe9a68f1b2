import type { Page } from 'playwright-core';

/** A page of the console that is checked on each screen. */
export interface ListedPage {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** Whether a person has to sign in to see it. */
  readonly isPublic?: boolean;
  /** Resolves when the page shows what it was opened for. */
  readonly isShown: (page: Page) => Promise<void>;
}

const heading =
  (name: string): ListedPage['isShown'] =>
  (page) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** All pages without parameters. A new page is a line here. */
export const PAGES: readonly ListedPage[] = [
  { name: 'sign-in', path: '/console/sign-in', isPublic: true, isShown: heading('Sign in') },
  { name: 'alerts', path: '/console/alerts', isShown: heading('Alerts') },
  { name: 'on-call', path: '/console/on-call', isShown: heading('On call') },
  { name: 'sessions', path: '/console/me/sessions', isShown: heading('Sessions') },
  { name: 'no-such-page', path: '/console/none', isShown: heading('There is no such page') },
];
