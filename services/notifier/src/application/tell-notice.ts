import type { DecisionVerdict } from '@tocsin/contracts';
import { isNotice, isShift, type NoticeDelivery, type ShiftDelivery } from '../domain/delivery.ts';
import type { NoticeListener, NoticeOutcome } from '../ports/notice-listener.ts';

/** Tells what became of a notice, of a shift or another: no alert has a log for it. */
export function tellNotice(
  delivery: NoticeDelivery | ShiftDelivery,
  verdicts: readonly DecisionVerdict[],
  onNotice: NoticeListener,
): void {
  const named = noticeNamed(delivery);
  for (const { outcome, text } of verdicts) onNotice({ ...named, outcome, text });
}

function noticeNamed(delivery: NoticeDelivery | ShiftDelivery): Omit<NoticeOutcome, 'outcome' | 'text'> {
  const { deliveryId } = delivery;
  if (isNotice(delivery)) {
    const { kind, noticeId, userId } = delivery.notice;
    return { kind, noticeId, userId };
  }
  if (!isShift(delivery)) return { kind: 'unknown', noticeId: deliveryId, userId: '' };
  const { actionType, noticeId, userId } = delivery.shift;
  return { kind: actionType, noticeId, userId };
}
