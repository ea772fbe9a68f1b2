import type { Page, PageStatusUpdate } from '@tocsin/events';
import type { Block, Content, Row } from '../messages/content.ts';

/** The links of a page; each is absent where the installation has no public URL. */
export interface PageLinks {
  /** The link by which the user acknowledges the alert; absent, too, where the page asks for no answer. */
  readonly acknowledgeUrl?: string | undefined;
  /** The alert in the console, for users who sign in. */
  readonly alertUrl?: string | undefined;
}

/** The change, the priority, the reason why this user is notified, and its links. */
export function pageContent(page: Page, links: PageLinks = {}): Content {
  const { acknowledgeUrl } = links;
  const { alert, alertId } = page;
  const { message, priority, tinyId } = alert;
  const { happened, title } = pageTitle(page);
  const lead = happened === undefined ? '' : `${happened}: `;
  const spokenLead = happened === undefined ? '' : `${happened}. `;
  return {
    title,
    short: `${priority} #${tinyId}: ${lead}${message}`,
    spoken: `Alert ${tinyId}, priority ${priority.slice(1)}. ${spokenLead}It says: ${message}`,
    blocks: [
      { kind: 'title', text: title },
      ...statusUpdateBlocks(page, happened),
      ...linkBlocks(links, { acknowledge: 'Acknowledge', open: 'Open in the console' }),
      ...about(page),
    ],
    priority,
    alertId,
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
}

/** The text about its alert that every page has. */
function about({ alert, alertId, why }: Page): readonly Block[] {
  const facts: readonly Row[] = [
    ['Priority', alert.priority],
    ['Alert', `#${alert.tinyId} (${alertId})`],
    ['Alias', alert.alias],
    ['Source', alert.source],
    ['Entity', alert.entity],
    ['Tags', alert.tags.join(', ')],
    ['Created', instantText(alert.createdAt)],
  ];
  return [
    ...quote(alert.description),
    { kind: 'facts', rows: facts.filter(hasValue) },
    ...details(Object.entries(alert.details).filter(hasValue)),
    { kind: 'text', lines: [`You get this message because: ${why}.`] },
  ];
}

/** The change of the alert, with its note. */
function statusUpdateBlocks({ statusUpdate }: Page, happened: string | undefined): readonly Block[] {
  if (happened === undefined) return [];
  const note = quote(statusUpdate?.note ?? '');
  return [{ kind: 'text', lines: [`${happened}${note.length > 0 ? ':' : '.'}`] }, ...note];
}

/** The links of an alert, with these texts. */
export const linkBlocks = (
  { acknowledgeUrl, alertUrl }: PageLinks,
  texts: { readonly acknowledge: string; readonly open: string },
): readonly Block[] => [...link(texts.acknowledge, acknowledgeUrl), ...link(texts.open, alertUrl)];

const link = (text: string, url: string | undefined): readonly Block[] =>
  url === undefined ? [] : [{ kind: 'link', text, url }];

/** An instant to the second, such as `2026-01-05 08:00:00 UTC`. */
const instantText = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`;

const quote = (text: string): readonly Block[] => (text === '' ? [] : [{ kind: 'quote', text }]);

const details = (rows: readonly Row[]): readonly Block[] => (rows.length === 0 ? [] : [{ kind: 'details', rows }]);

const hasValue = ([, value]: Row): boolean => value !== '';

/** The beginning of a page, in any channel. All of it may contain texts of callers. */
export interface PageTitle {
  /** The priority, the subject and the change. */
  readonly title: string;
  /** The change and its actor; undefined where the page reports a new alert. */
  readonly happened: string | undefined;
}

const HAPPENED: Readonly<Record<PageStatusUpdate['kind'], string>> = {
  acknowledged: 'Acknowledged',
  closed: 'Closed',
  noted: 'Note',
  assigned: 'Assigned to you',
};

/** The title of a page, with the change of its alert (U16). */
export function pageTitle({ alert, statusUpdate }: Pick<Page, 'alert' | 'statusUpdate'>): PageTitle {
  const title = `[${alert.priority}] ${alert.message} (#${alert.tinyId})`;
  if (statusUpdate === undefined) return { title, happened: undefined };
  const happened = `${HAPPENED[statusUpdate.kind]} by ${statusUpdate.actor}`;
  return { title: `${title}: ${happened.replace(/^./, (letter) => letter.toLowerCase())}`, happened };
}
