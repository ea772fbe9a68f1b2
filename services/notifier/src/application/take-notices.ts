import type { ConsumedBatch, ContactMethod, NoticeCommand, Settlement } from '@tocsin/contracts';
import { nameOfNotice, planNotice } from '../domain/notice.ts';
import type { ExpandedNotice, FlowStore, RepetitionClaim } from '../ports/flow-store.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Deliver } from './deliver.ts';
import { pure } from './pure.ts';

export interface TakeNoticesPorts {
  readonly store: Pick<FlowStore<RepetitionClaim>, 'settleNotices'>;
  readonly deliver: Pick<Deliver, 'withSlots'>;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
  /** Hears of each notice that comes to no message, once. */
  readonly onNotice: NoticeListener;
}

/** Turns notices into deliveries, each notice once however often it comes (U3, U11). */
export class TakeNotices {
  readonly #ports: TakeNoticesPorts;

  constructor(ports: TakeNoticesPorts) {
    this.#ports = ports;
  }

  /** Never throws. */
  async settle(batch: ConsumedBatch<NoticeCommand>): Promise<Settlement> {
    const { channels, deliver, onNotice, store } = this.#ports;
    const skipped = new Map<string, () => void>();
    const expand = (notice: NoticeCommand) => {
      const planned = pure(() => planNotice(notice, channels));
      const { kind, noticeId, userId } = notice;
      if ('delivery' in planned)
        return expanded(notice, 'scheduled', `The ${nameOfNotice(notice)} is sent at once.`, [planned.delivery]);
      const text = `The ${nameOfNotice(notice)} is not sent: ${planned.reason}.`;
      skipped.set(noticeId, () => {
        onNotice({ kind, noticeId, userId, outcome: 'skipped', text });
      });
      return expanded(notice, 'skipped', text, []);
    };
    const userIds = batch.records.map(({ value }) => value.userId);
    const settlement = await deliver.withSlots(userIds, (slots) => store.settleNotices(batch, expand, slots));
    if (settlement.outcome === 'done') for (const tell of skipped.values()) tell();
    return settlement;
  }
}

function expanded(
  { at, kind, noticeId, userId }: NoticeCommand,
  outcome: string,
  text: string,
  deliveries: ExpandedNotice['deliveries'],
): ExpandedNotice {
  return {
    deliveries,
    decision: {
      decisionId: `notice:${noticeId}`,
      userId,
      stage: 'page',
      at,
      verdicts: [{ subject: 'notice', outcome, text, facts: { noticeId, userId, kind } }],
    },
  };
}
