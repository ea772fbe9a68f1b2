import type { Page, PageNews } from '@tocsin/contracts';

/** What a page says first, in any channel. All of it may hold what callers wrote. */
export interface PageTitle {
  /** How urgent it is, what it is about, and what has happened to it. */
  readonly title: string;
  /** What has happened, and who did it; undefined of a page that only says that there is an alert. */
  readonly happened: string | undefined;
}

const HAPPENED: Readonly<Record<PageNews['kind'], string>> = {
  acknowledged: 'Acknowledged',
  closed: 'Closed',
  noted: 'Note',
  assigned: 'Assigned to you',
};

/** The title of a page, and what it tells of that has happened to its alert (U5). */
export function pageTitle({ alert, news }: Pick<Page, 'alert' | 'news'>): PageTitle {
  const title = `[${alert.priority}] ${alert.message} (#${alert.tinyId})`;
  if (news === undefined) return { title, happened: undefined };
  const happened = `${HAPPENED[news.kind]} by ${news.actor}`;
  return { title: `${title}: ${happened.replace(/^./, (letter) => letter.toLowerCase())}`, happened };
}
