import type { ConsumedBatch, NoticeCommand, Settlement, ShiftNotice } from '@tocsin/contracts';
import type { ExpandedNotice, FlowStore } from '../ports/flow-store.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Deliver } from './deliver.ts';

export interface SettleNoticesPorts {
  readonly store: Pick<FlowStore, 'settleNotices'>;
  readonly deliver: Pick<Deliver, 'withSlots'>;
  /** Hears of each notice that comes to no message, once. */
  readonly onNotice: NoticeListener;
}

/** Settles notices, of shifts or others, each once however often it comes. `expand` is pure. */
export async function settleNotices<N extends NoticeCommand | ShiftNotice>(
  batch: ConsumedBatch<N>,
  expand: (notice: N) => ExpandedNotice,
  { deliver, onNotice, store }: SettleNoticesPorts,
): Promise<Settlement> {
  // A transaction that is tried again expands its notices again.
  const unsent = new Map<string, readonly [N, ExpandedNotice]>();
  const expandOne = (notice: N): ExpandedNotice => {
    const expanded = expand(notice);
    if (expanded.deliveries.length === 0) unsent.set(notice.noticeId, [notice, expanded]);
    return expanded;
  };
  const userIds = batch.records.map(({ value }) => value.userId);
  const settlement = await deliver.withSlots(userIds, (slots) => store.settleNotices(batch, expandOne, slots));
  if (settlement.outcome === 'done') for (const [notice, expanded] of unsent.values()) tell(notice, expanded, onNotice);
  return settlement;
}

function tell(notice: NoticeCommand | ShiftNotice, { decision }: ExpandedNotice, onNotice: NoticeListener): void {
  const { noticeId, userId } = notice;
  const kind = 'kind' in notice ? notice.kind : notice.actionType;
  for (const { outcome, text } of decision.verdicts) onNotice({ kind, noticeId, userId, outcome, text });
}
