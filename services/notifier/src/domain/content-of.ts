import type { Content, Sender } from './content.ts';
import { isNotice, isPage, type Delivery } from './delivery.ts';
import { noticeContent } from './notice-content.ts';
import { pageContent } from './page-content.ts';
import { shiftContent } from './shift-content.ts';

/** What a delivery says, whatever its channel. */
export function contentOf(delivery: Delivery, sender: Sender): Content {
  if (isPage(delivery)) return pageContent(delivery.page);
  return isNotice(delivery) ? noticeContent(delivery.notice, sender) : shiftContent(delivery.shift);
}
