import type { ConsumedBatch, ContactMethod, Settlement, ShiftNotice } from '@tocsin/contracts';
import { planShift } from '../domain/shift.ts';
import type { ExpandedNotice } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pure } from './pure.ts';
import { settleNotices, type SettleNoticesPorts } from './settle-notices.ts';

export interface TakeShiftsPorts extends SettleNoticesPorts {
  readonly users: Users;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Turns notices of shifts into deliveries by the users' notification rules, each once however often it comes (U6). */
export class TakeShifts {
  readonly #ports: TakeShiftsPorts;

  constructor(ports: TakeShiftsPorts) {
    this.#ports = ports;
  }

  /**
   * The batch waits while directory cannot be asked who one of its users is. That is rare: whoever sent the notice knew them.
   */
  async settle(batch: ConsumedBatch<ShiftNotice>): Promise<Settlement> {
    const { channels, users } = this.#ports;
    const away = await fetchMissing(
      users,
      batch.records.map(({ value }) => value.userId),
    );
    if (away.size > 0) return { outcome: 'retry', reason: `who [${[...away][0]}] is cannot be asked at present` };
    return settleNotices(batch, (shift) => expandShift(shift, users, channels), this.#ports);
  }
}

function expandShift(
  shift: ShiftNotice,
  users: Pick<Users, 'get'>,
  channels: ReadonlySet<ContactMethod>,
): ExpandedNotice {
  const { dueAt: at, noticeId, userId } = shift;
  const { deliveries, verdicts } = pure(() => planShift(shift, users.get(userId), channels));
  const decision = { decisionId: `page:${noticeId}`, userId, stage: 'page' as const, at, verdicts: [...verdicts] };
  return { deliveries, decision };
}
