import { type Decision, Decisions, type NoticeCommand, type ShiftNotice } from '@tocsin/events';
import { collectionOf, type Connection, type Outbox, type Session } from '@tocsin/mongo';
import { NOTICES } from '../messages/delivery-document.ts';
import type { NewDeliveries } from '../queue/new-delivery-store.ts';
import type { Slots } from '../queue/message-result.ts';
import type { ExpandedNotice } from './notice.ts';

/** A notice that was processed. A repeat is recognised by its id. */
interface NoticeDocument {
  readonly _id: string;
  readonly userId: string;
  readonly at: Date;
}

export interface NoticeStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly deliveries: Pick<NewDeliveries, 'add'>;
}

/** Stores processed notices and their deliveries, which it adds and begins as the store of pages does. */
export class NoticeStore {
  readonly #parts: NoticeStoreParts;

  constructor(parts: NoticeStoreParts) {
    this.#parts = parts;
  }

  /** Those of the notices that were added before. */
  async knownNotices(noticeIds: readonly string[], session: Session): Promise<ReadonlySet<string>> {
    const known = await this.#notices()
      .find({ _id: { $in: [...new Set(noticeIds)] } }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(known.map(({ _id }) => _id));
  }

  /** Adds notices that are not known yet, with their deliveries and decisions. */
  async addNotices(
    expanded: readonly (ExpandedNotice & { readonly notice: NoticeCommand | ShiftNotice })[],
    slots: Slots,
    session: Session,
  ): Promise<void> {
    if (expanded.length === 0) return;
    const { deliveries, outbox } = this.#parts;
    await this.#notices().insertMany(
      expanded.map(({ notice: { at, noticeId, userId } }) => ({ _id: noticeId, userId, at: new Date(at) })),
      { session },
    );
    const added = expanded.flatMap((each) => each.deliveries);
    const aboutDeliveries = await deliveries.add(added, { session, slots });
    await outbox.add(session, Decisions, [...expanded.map(({ decision }) => decision), ...aboutDeliveries]);
  }

  /** Adds a decision for the log. */
  async addDecision(decision: Decision, session: Session): Promise<void> {
    await this.#parts.outbox.add(session, Decisions, [decision]);
  }

  #notices() {
    return collectionOf<NoticeDocument>(this.#parts.connection, NOTICES);
  }
}
