import type { ConsumedBatch, ContactMethod, Settlement, ShiftNotice } from '@tocsin/contracts';
import { planShift } from '../domain/shift.ts';
import type { FlowStore, RepetitionClaim } from '../ports/flow-store.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import type { Deliver } from './deliver.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pure } from './pure.ts';

export interface TakeShiftsPorts {
  readonly store: Pick<FlowStore<RepetitionClaim>, 'settleNotices'>;
  readonly deliver: Pick<Deliver, 'withSlots'>;
  readonly users: Users;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
  /** Hears of each notice that comes to no message, once. */
  readonly onNotice: NoticeListener;
}

/** Turns notices of shifts into deliveries by the users' notification rules, each once however often it comes (U6). */
export class TakeShifts {
  readonly #ports: TakeShiftsPorts;

  constructor(ports: TakeShiftsPorts) {
    this.#ports = ports;
  }

  /** Waits while somebody is not known and their owner cannot be asked: whoever gave the order knew them, so that is rare. */
  async settle(batch: ConsumedBatch<ShiftNotice>): Promise<Settlement> {
    const { channels, deliver, onNotice, store, users } = this.#ports;
    const userIds = batch.records.map(({ value }) => value.userId);
    const away = await fetchMissing(users, userIds);
    if (away.size > 0) return { outcome: 'retry', reason: `who [${[...away][0]}] is cannot be asked at present` };
    const skipped = new Map<string, () => void>();
    const expand = (shift: ShiftNotice) => {
      const { actionType: kind, dueAt: at, noticeId, userId } = shift;
      const { deliveries, verdicts } = pure(() => planShift(shift, users.get(userId), channels));
      if (deliveries.length === 0)
        skipped.set(noticeId, () => {
          for (const { outcome, text } of verdicts) onNotice({ kind, noticeId, userId, outcome, text });
        });
      const decision = { decisionId: `page:${noticeId}`, userId, stage: 'page' as const, at, verdicts: [...verdicts] };
      return { deliveries, decision };
    };
    const settlement = await deliver.withSlots(userIds, (slots) => store.settleNotices(batch, expand, slots));
    if (settlement.outcome === 'done') for (const tell of skipped.values()) tell();
    return settlement;
  }
}
