import type { ConsumedBatch, ContactMethod, NoticeCommand, Settlement } from '@tocsin/contracts';
import { nameOfNotice, planNotice } from '../domain/notice.ts';
import type { ExpandedNotice } from '../ports/flow-store.ts';
import { pure } from './pure.ts';
import { settleNotices, type SettleNoticesPorts } from './settle-notices.ts';

export interface TakeNoticesPorts extends SettleNoticesPorts {
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Turns notices into deliveries, each notice once however often it comes (U3, U11). */
export class TakeNotices {
  readonly #ports: TakeNoticesPorts;

  constructor(ports: TakeNoticesPorts) {
    this.#ports = ports;
  }

  /** Never throws. */
  async settle(batch: ConsumedBatch<NoticeCommand>): Promise<Settlement> {
    return settleNotices(batch, (notice) => expandNotice(notice, this.#ports.channels), this.#ports);
  }
}

function expandNotice(notice: NoticeCommand, channels: ReadonlySet<ContactMethod>): ExpandedNotice {
  const planned = pure(() => planNotice(notice, channels));
  const name = nameOfNotice(notice);
  return 'delivery' in planned
    ? expanded(notice, 'scheduled', `The ${name} is sent at once.`, [planned.delivery])
    : expanded(notice, 'skipped', `The ${name} is not sent: ${planned.reason}.`, []);
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
