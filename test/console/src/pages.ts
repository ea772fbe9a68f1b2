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
    page.getByRole('heading', { level: 1, name }).waitFor();

/** All pages. A new page is a line here. */
export const PAGES: readonly ListedPage[] = [
  { name: 'first-page-signed-out', path: '/console/', isPublic: true, isShown: heading('Tocsin') },
  { name: 'first-page', path: '/console/', isShown: heading('Tocsin') },
];
