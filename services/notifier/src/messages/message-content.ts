import { asksForAction } from '../answers/acknowledge-link.ts';
import { noticeContent, shiftContent } from '../notices/content.ts';
import { pageContent, pageTitle } from '../pages/content.ts';
import { isBundle, type Outgoing } from './bundle.ts';
import type { Block, BundledAlert, Content, Sender } from './content.ts';
import { isNotice, isPage, type PageDelivery } from './delivery.ts';

const urlFor = (delivery: PageDelivery, { acknowledgeUrl }: Sender): string | undefined =>
  asksForAction(delivery.page) ? acknowledgeUrl?.(delivery) : undefined;

/** The content of a message, for any channel. */
export function contentOf(outgoing: Outgoing, sender: Sender): Content {
  if (isBundle(outgoing)) return bundleContent(outgoing.pages, (delivery) => urlFor(delivery, sender));
  if (isPage(outgoing)) return pageContent(outgoing.page, urlFor(outgoing, sender));
  return isNotice(outgoing) ? noticeContent(outgoing.notice, sender) : shiftContent(outgoing.shift);
}

/** The content of a message of several pages: their number, and the subject of each, the most urgent first (U8). */
export function bundleContent(
  pages: readonly PageDelivery[],
  urlOf: (delivery: PageDelivery) => string | undefined,
): Content {
  const items = pages.map((delivery) => ({ alert: alertOf(delivery, urlOf(delivery)), page: delivery.page }));
  const alerts = items.map(({ alert }) => alert);
  const [first] = pages;
  const { message = '', priority = 'P5', tinyId = '' } = first?.page.alert ?? {};
  const count = `${pages.length} alerts`;
  const numbers = pages.map(({ page }) => page.alert.tinyId).join(', ');
  const title = `[${priority}] ${count}: ${message} (#${tinyId}) and ${pages.length - 1} more`;
  return {
    title,
    short: `${count}: ${alerts.map(({ name, text }) => `${name} ${text}`).join('; ')}`,
    spoken: `${count}: ${numbers}. The most urgent is ${tinyId}, priority ${priority.slice(1)}. It says: ${message}`,
    blocks: [
      { kind: 'title', text: title },
      { kind: 'text', lines: [`${count} have come within a minute, so they are one message.`] },
      ...items.flatMap(({ alert, page }) => blocksOf(alert, page.why)),
    ],
    priority,
    alerts,
  };
}

function alertOf({ page }: PageDelivery, url: string | undefined): BundledAlert {
  const { alert } = page;
  const { happened } = pageTitle(page);
  return {
    name: `${alert.priority} #${alert.tinyId}`,
    text: happened === undefined ? alert.message : `${happened}: ${alert.message}`,
    ...(url !== undefined && { acknowledgeUrl: url }),
  };
}

function blocksOf({ acknowledgeUrl, name, text }: BundledAlert, why: string): readonly Block[] {
  const facts = { kind: 'facts', rows: [[name, text] as const, ['Why', why] as const] } as const;
  return acknowledgeUrl === undefined
    ? [facts]
    : [facts, { kind: 'link', text: `Acknowledge ${name}`, url: acknowledgeUrl }];
}
