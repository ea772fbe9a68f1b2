import type { Page, PageStatusUpdate } from '@tocsin/events';
import type { Block, Content, Row } from '../messages/content.ts';

/** The change, the priority, the reason why this user is notified, and the link by which they acknowledge the alert. */
export function pageContent(page: Page, acknowledgeUrl?: string): Content {
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
      ...link(acknowledgeUrl),
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
    ['Created', alert.createdAt],
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

const link = (url: string | undefined): readonly Block[] =>
  url === undefined ? [] : [{ kind: 'link', text: 'Acknowledge', url }];

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
