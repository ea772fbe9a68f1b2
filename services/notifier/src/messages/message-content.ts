import { asksForAction } from '../answers/acknowledge-link.ts';
import { noticeContent, shiftContent } from '../notices/content.ts';
import { linkBlocks, pageContent, type PageLinks, pageTitle } from '../pages/content.ts';
import { isBundle, type Outgoing } from './bundle.ts';
import type { Block, BundledAlert, Content, ContentSettings } from './content.ts';
import { isNotice, isPage, type PageDelivery } from './delivery.ts';

function linksOf(delivery: PageDelivery, { acknowledgeUrl, publicUrl }: ContentSettings): PageLinks {
  const { page } = delivery;
  return {
    acknowledgeUrl: asksForAction(page) ? acknowledgeUrl?.(delivery) : undefined,
    alertUrl: publicUrl === undefined ? undefined : `${publicUrl}/console/alerts/${encodeURIComponent(page.alertId)}`,
  };
}

/** The content of a message, for any channel. */
export function contentOf(outgoing: Outgoing, settings: ContentSettings): Content {
  if (isBundle(outgoing)) return bundleContent(outgoing.pages, (delivery) => linksOf(delivery, settings));
  if (isPage(outgoing)) return pageContent(outgoing.page, linksOf(outgoing, settings));
  return isNotice(outgoing) ? noticeContent(outgoing.notice, settings) : shiftContent(outgoing.shift);
}

/** The content of a message of several pages: their number, and the subject of each, the most urgent first (U8). */
export function bundleContent(
  pages: readonly PageDelivery[],
  linksFor: (delivery: PageDelivery) => PageLinks,
): Content {
  const items = pages.map((delivery) => {
    const links = linksFor(delivery);
    return { alert: alertOf(delivery, links), links, why: delivery.page.why };
  });
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
      ...items.flatMap(({ alert, links, why }) => blocksOf(alert, links, why)),
    ],
    priority,
    alerts,
  };
}

function alertOf({ page }: PageDelivery, { acknowledgeUrl }: PageLinks): BundledAlert {
  const { alert } = page;
  const { happened } = pageTitle(page);
  return {
    name: `${alert.priority} #${alert.tinyId}`,
    text: happened === undefined ? alert.message : `${happened}: ${alert.message}`,
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
}

function blocksOf({ name, text }: BundledAlert, links: PageLinks, why: string): readonly Block[] {
  const rows = [[name, text] as const, ['Why', why] as const];
  return [{ kind: 'facts', rows }, ...linkBlocks(links, { acknowledge: `Acknowledge ${name}`, open: `Open ${name}` })];
}
