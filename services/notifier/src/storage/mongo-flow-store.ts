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
  inTransaction,
  settleBatches,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import type { Delivery } from '../domain/delivery.ts';
import type { Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Slots } from '../ports/delivery-store.ts';
import type { ExpandedNotice, ExpandedPage, FlowStore } from '../ports/flow-store.ts';
import type { PageDocument } from './delivery-document.ts';
import { DELIVERIES, NOTICES, type NoticeDocument } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoNewDeliveries, NewPage } from './mongo-new-deliveries.ts';

/** Whose steps are to be repeated. */
interface RepetitionPayload {
  readonly userId: string;
}

export type RepetitionTimer = DueTimer<RepetitionPayload>;

export interface MongoFlowStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly deliveries: Pick<MongoNewDeliveries, 'add' | 'gate'>;
  readonly standings: Pick<MongoAlertStandings, 'of'>;
  /** Where the timers of repetitions live; a timer's id is its page's, its fence the repetition's number. */
  readonly timers: Pick<Timers<RepetitionPayload>, 'schedule' | 'remove'>;
}

/** Pages and notices that were seen, and what they lead to, in MongoDB. */
export class MongoFlowStore implements FlowStore<RepetitionTimer> {
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
      await this.#scheduleRepetitions(expanded, session);
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

  async repeat(
    claims: readonly RepetitionTimer[],
    expand: (repetition: Repetition, standing: AlertStanding | undefined) => ExpandedPage,
    slots: Slots,
  ): Promise<void> {
    const { connection, deliveries, standings, timers } = this.#parts;
    await inTransaction(
      connection,
      async (session) => {
        const due = await this.#due(claims, session);
        await timers.remove(claims, session);
        const alertIds = due.map(({ page }) => page.alertId);
        const known = await standings.of(alertIds, session);
        const expanded = due.map((each) => ({
          page: each.page,
          number: each.number,
          ...expand(each, known.get(each.page.alertId)),
        }));
        if (expanded.length === 0) return;
        // A page that waited for its user is taken as if it came now: its row is made anew.
        const waited = expanded.filter(({ number }) => number === 0);
        await this.#pages().deleteMany({ _id: { $in: waited.map(({ page }) => page.pageId) } }, { session });
        const writes = expanded
          .filter(({ number }) => number > 0)
          .map(({ next, page }) => ({
            updateOne: { filter: { _id: page.pageId }, update: { $set: movedOn(next) } },
          }));
        if (writes.length > 0) await this.#pages().bulkWrite(writes, { session, ordered: false });
        await this.#write(expanded, { pages: waited, session, slots });
        await this.#scheduleRepetitions(expanded, session);
      },
      { gate: deliveries.gate },
    );
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

  /** The repetitions to which the claims still belong. */
  async #due(claims: readonly RepetitionTimer[], session: Session): Promise<readonly Repetition[]> {
    const fences = new Map(claims.map(({ fence, id }) => [id, fence]));
    const pages = await this.#pages()
      .find({ _id: { $in: [...fences.keys()] } }, { session, projection: { next: 1 } })
      .toArray();
    return pages.flatMap(({ _id, next }) => (next?.number === fences.get(_id) ? (next ?? []) : []));
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

  async #scheduleRepetitions(expanded: readonly ExpandedPage[], session: Session): Promise<void> {
    const rows = expanded.flatMap(({ next }) =>
      next === undefined
        ? []
        : [
            {
              id: next.page.pageId,
              dueAt: next.dueAt,
              fence: next.number,
              payload: { userId: next.page.userId },
            },
          ],
    );
    if (rows.length > 0) await this.#parts.timers.schedule(session, rows);
  }

  #pages() {
    return collectionOf<PageDocument>(this.#parts.connection, DELIVERIES);
  }
}

/** Each once, though a batch may have it twice. */
const byPageId = (pages: readonly Page[]): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.pageId, page]));

/** The page stays as it is stored. */
function movedOn(next: Repetition | undefined): Readonly<Record<string, unknown>> {
  if (next === undefined) return { next: null };
  return { 'next.number': next.number, 'next.dueAt': next.dueAt, 'next.loopAfterMinutes': next.loopAfterMinutes };
}
