import { isNotice, isPage, isShift, type Delivery } from './delivery.ts';

/** What is kept of a delivery's subject once it has come to its end: no word of an alert, no code (A6). */
export function subjectOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  if (isNotice(delivery)) {
    const { kind, noticeId, userId } = delivery.notice;
    return { notice: { kind, noticeId, userId } };
  }
  if (isShift(delivery)) {
    const { actionType, noticeId, userId } = delivery.shift;
    return { shift: { actionType, noticeId, userId } };
  }
  if (!isPage(delivery)) return {};
  const { actionType, alertId, pageId, userId } = delivery.page;
  return { page: { pageId, alertId, userId, actionType } };
}
