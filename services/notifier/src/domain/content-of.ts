import { callsSomebody } from './acknowledge-link.ts';
import { bundleContent } from './bundle-content.ts';
import { isBundle, type Outgoing } from './bundle.ts';
import type { Content, Sender } from './content.ts';
import { isNotice, isPage, type PageDelivery } from './delivery.ts';
import { noticeContent } from './notice-content.ts';
import { pageContent } from './page-content.ts';
import { shiftContent } from './shift-content.ts';

const urlFor = (delivery: PageDelivery, { acknowledgeUrl }: Sender): string | undefined =>
  callsSomebody(delivery.page) ? acknowledgeUrl?.(delivery) : undefined;

/** What a message says, whatever its channel. */
export function contentOf(outgoing: Outgoing, sender: Sender): Content {
  if (isBundle(outgoing)) return bundleContent(outgoing.pages, (delivery) => urlFor(delivery, sender));
  if (isPage(outgoing)) return pageContent(outgoing.page, urlFor(outgoing, sender));
  return isNotice(outgoing) ? noticeContent(outgoing.notice, sender) : shiftContent(outgoing.shift);
}
