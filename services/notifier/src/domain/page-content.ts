import type { Page } from '@tocsin/contracts';
import type { Block, Content, Row } from './content.ts';
import { pageTitle } from './page-title.ts';

/** What happened, how urgent it is, why this person is told, and where they can acknowledge it. */
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
    blocks: [{ kind: 'title', text: title }, ...news(page, happened), ...link(acknowledgeUrl), ...about(page)],
    priority,
    alertId,
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
}

/** What a page says that only says that there is an alert, in the words of every page. */
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

/** What has happened to the alert, with the note that was left. */
function news({ news: told }: Page, happened: string | undefined): readonly Block[] {
  if (happened === undefined) return [];
  const note = quote(told?.note ?? '');
  return [{ kind: 'text', lines: [`${happened}${note.length > 0 ? ':' : '.'}`] }, ...note];
}

const link = (url: string | undefined): readonly Block[] =>
  url === undefined ? [] : [{ kind: 'link', text: 'Acknowledge', url }];

const quote = (text: string): readonly Block[] => (text === '' ? [] : [{ kind: 'quote', text }]);

const details = (rows: readonly Row[]): readonly Block[] => (rows.length === 0 ? [] : [{ kind: 'details', rows }]);

const hasValue = ([, value]: Row): boolean => value !== '';
