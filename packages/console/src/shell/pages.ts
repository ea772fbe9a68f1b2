import { paths } from './paths.ts';

/** A page that navigation, palette and keys lead to. */
export interface PageEntry {
  readonly name: string;
  readonly path: string;
  /** The key after `g`. */
  readonly key: string;
  /** Whether the header has it; the palette has all. */
  readonly isMain: boolean;
}

/** All pages without parameters. */
export const PAGES: readonly PageEntry[] = [
  { name: 'Alerts', path: paths.alerts(), key: 'a', isMain: true },
  { name: 'On call', path: paths.onCall(), key: 'o', isMain: true },
  { name: 'Schedules', path: paths.schedules(), key: 'c', isMain: true },
  { name: 'Teams', path: paths.teams(), key: 't', isMain: false },
  { name: 'Escalations', path: paths.escalations(), key: 'e', isMain: false },
  { name: 'Policies', path: paths.policies(), key: 'p', isMain: false },
  { name: 'Flow', path: paths.flow(), key: 'f', isMain: false },
  { name: 'Integrations', path: paths.integrations(), key: 'i', isMain: false },
  { name: 'Heartbeats', path: paths.heartbeats(), key: 'h', isMain: false },
  { name: 'Maintenance', path: paths.maintenance(), key: 'w', isMain: false },
  { name: 'Readiness', path: paths.readiness(), key: 'r', isMain: false },
  { name: 'Move', path: paths.move(), key: 'v', isMain: false },
  { name: 'People', path: paths.people(), key: 'l', isMain: false },
  { name: 'Set up', path: paths.setUp(), key: 'u', isMain: false },
  { name: 'Me', path: paths.me(), key: 'm', isMain: false },
  { name: 'Sessions', path: paths.sessions(), key: 's', isMain: false },
];

/** How a link to a page says that it is shown: the page itself, or one below it, such as an alert below the list. */
export function currentMark(path: string, shown: string): 'page' | 'true' | undefined {
  if (shown === path) return 'page';
  return shown.startsWith(`${path}/`) ? 'true' : undefined;
}

/** The pages to which navigation leads a person. Their keys lead to all. */
export const offeredPages = (isMoveOffered: boolean): readonly PageEntry[] =>
  isMoveOffered ? PAGES : PAGES.filter(({ path }) => path !== paths.move());

/** Those of the pages whose name has every word of the text, in their order. */
export function pagesFor(text: string, pages: readonly PageEntry[]): readonly PageEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
