import {
  Decisions,
  type ConsumedBatch,
  type NoticeCommand,
  type Page,
  type Settlement,
  type ShiftNotice,
} from '@tocsin/contracts';
import {
  collectionOf,
  settleBatches,
  type Connection,
  type DueWork,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { Delivery } from '../domain/delivery.ts';
import type { Repetition } from '../domain/repetition.ts';
import { noSlots, type Slots } from '../ports/delivery-store.ts';
import type { ExpandedNotice, ExpandedPage, ExpandRepetition, FlowStore } from '../ports/flow-store.ts';
import { repetitionUpdate, type PageDocument } from './delivery-document.ts';
import { DELIVERIES, NOTICES, type NoticeDocument } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoNewDeliveries, NewPage } from './mongo-new-deliveries.ts';

export interface MongoFlowStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly deliveries: Pick<MongoNewDeliveries, 'add' | 'gate'>;
  readonly standings: Pick<MongoAlertStandings, 'of'>;
  /** Repeats the steps of pages. */
  readonly dueWork: Pick<DueWork<PageDocument>, 'written'>;
}

/** Pages and notices that were seen, and what they lead to, in MongoDB. */
export class MongoFlowStore implements FlowStore {
  readonly #parts: MongoFlowStoreParts;

  constructor(parts: MongoFlowStoreParts) {
    this.#parts = parts;
  }

  async settlePages(
    batches: readonly ConsumedBatch<Page>[],
    expand: (page: Page) => ExpandedPage,
    slots: Slots,
  ): Promise<Settlement> {
    let mayBeKnown = false;
    return this.#settle(batches, async (pages, session) => {
      // Nearly every page is new. One that is not is refused as it is inserted; then all are looked up.
      const fresh = mayBeKnown ? await this.#unknown(DELIVERIES, byPageId(pages), session) : byPageId(pages);
      mayBeKnown = true;
      const expanded = [...fresh.values()].map((page) => ({ page, ...expand(page) }));
      await this.#write(expanded, { pages: expanded, session, slots });
      this.#written(expanded, session);
    });
  }

  async settleNotices<N extends NoticeCommand | ShiftNotice>(
    batch: ConsumedBatch<N>,
    expand: (notice: N) => ExpandedNotice,
    slots: Slots,
  ): Promise<Settlement> {
    return this.#settle([batch], async (notices, session) => {
      const byId = new Map(notices.map((notice) => [notice.noticeId, notice]));
      const unknown = [...(await this.#unknown(NOTICES, byId, session)).values()];
      if (unknown.length === 0) return;
      await collectionOf<NoticeDocument>(this.#parts.connection, NOTICES).insertMany(
        unknown.map(({ at, noticeId, userId }) => ({ _id: noticeId, userId, at: new Date(at) })),
        { session },
      );
      await this.#write(unknown.map(expand), { session, slots });
    });
  }

  /**
   * Takes repetitions that are due a step on, in the transaction of `session`. What follows from them waits for its turn: it is sent
   * after the commit.
   */
  async repeat(session: Session, due: readonly Repetition[], expand: ExpandRepetition, now: Date): Promise<void> {
    const alertIds = due.map(({ page }) => page.alertId);
    const known = await this.#parts.standings.of(alertIds, session);
    const expanded = due.map((each) => ({
      page: each.page,
      number: each.number,
      ...expand(each, known.get(each.page.alertId)),
    }));
    // A page that waited for its user is taken as if it came now: its row is made anew.
    const waited = expanded.filter(({ number }) => number === 0);
    if (waited.length > 0)
      await this.#pages().deleteMany({ _id: { $in: waited.map(({ page }) => page.pageId) } }, { session });
    const writes = expanded
      .filter(({ number }) => number > 0)
      .map(({ next, page }) => ({ updateOne: { filter: { _id: page.pageId }, update: repetitionUpdate(next) } }));
    if (writes.length > 0) await this.#pages().bulkWrite(writes, { session, ordered: false });
    await this.#write(expanded, { pages: waited, session, slots: noSlots(now) });
    this.#written(expanded, session);
  }

  async #settle<T>(
    batches: readonly ConsumedBatch<T>[],
    work: (values: readonly T[], session: Session) => Promise<void>,
  ): Promise<Settlement> {
    const settlement = await settleBatches({
      connection: this.#parts.connection,
      batches,
      work: (session, records) =>
        work(
          records.map(({ value }) => value),
          session,
        ),
      // Two partitions may call one person for the first time, and a page may be known.
      racingIndexes: ['_id_'],
      gate: this.#parts.deliveries.gate,
    });
    return settlement;
  }

  /** Those that were not seen yet. */
  async #unknown<T>(
    collection: string,
    byId: ReadonlyMap<string, T>,
    session: Session,
  ): Promise<ReadonlyMap<string, T>> {
    const known = await collectionOf<{ _id: string }>(this.#parts.connection, collection)
      .find({ _id: { $in: [...byId.keys()] } }, { session, projection: { _id: 1 } })
      .toArray();
    const unknown = new Map(byId);
    for (const { _id } of known) unknown.delete(_id);
    return unknown;
  }

  async #write(
    expanded: readonly (ExpandedPage | ExpandedNotice)[],
    to: { readonly pages?: readonly NewPage[]; readonly session: Session; readonly slots: Slots },
  ): Promise<void> {
    const { deliveries, outbox } = this.#parts;
    const added = expanded.flatMap((each): readonly Delivery[] => each.deliveries);
    const decisions = expanded.flatMap(({ decision }) => decision ?? []);
    const aboutDeliveries = await deliveries.add(added, to);
    await outbox.add(to.session, Decisions, [...decisions, ...aboutDeliveries]);
  }

  #written(expanded: readonly ExpandedPage[], session: Session): void {
    this.#parts.dueWork.written(
      session,
      expanded.map(({ next }) => next?.dueAt),
    );
  }

  #pages() {
    return collectionOf<PageDocument>(this.#parts.connection, DELIVERIES);
  }
}

/** Each once, though a batch may have it twice. */
const byPageId = (pages: readonly Page[]): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.pageId, page]));
