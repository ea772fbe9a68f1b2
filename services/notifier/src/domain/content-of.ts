import { callsSomebody } from './acknowledge-link.ts';
import type { Content, Sender } from './content.ts';
import { isNotice, isPage, type Delivery, type PageDelivery } from './delivery.ts';
import { noticeContent } from './notice-content.ts';
import { pageContent } from './page-content.ts';
import { shiftContent } from './shift-content.ts';

const urlFor = (delivery: PageDelivery, { acknowledgeUrl }: Sender): string | undefined =>
  callsSomebody(delivery.page) ? acknowledgeUrl?.(delivery) : undefined;

/** What a delivery says, whatever its channel. */
export function contentOf(delivery: Delivery, sender: Sender): Content {
  if (isPage(delivery)) return pageContent(delivery.page, urlFor(delivery, sender));
  return isNotice(delivery) ? noticeContent(delivery.notice, sender) : shiftContent(delivery.shift);
}
