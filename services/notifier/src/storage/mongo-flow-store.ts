import { Decisions, type ConsumedBatch, type NoticeCommand, type Page, type Settlement } from '@tocsin/contracts';
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
import { FLOWS, NOTICES, type FlowDocument, type NoticeDocument } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoNewDeliveries } from './mongo-new-deliveries.ts';

/** Whose steps are to be repeated. */
interface RepetitionPayload {
  readonly userId: string;
}

export type RepetitionTimer = DueTimer<RepetitionPayload>;

export interface MongoFlowStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly deliveries: Pick<MongoNewDeliveries, 'add'>;
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
    return this.#settle(batches, async (pages, session) => {
      const expanded = pages.map((page) => ({ page, ...expand(page) }));
      const fresh = await this.#addFlows(expanded, session);
      await this.#write(fresh, slots, session);
      await this.#scheduleRepetitions(fresh, session);
    });
  }

  async settleNotices(
    batch: ConsumedBatch<NoticeCommand>,
    expand: (notice: NoticeCommand) => ExpandedNotice,
    slots: Slots,
  ): Promise<Settlement> {
    return this.#settle([batch], async (notices, session) => {
      const unknown = await this.#unknown(notices, session);
      if (unknown.length === 0) return;
      await collectionOf<NoticeDocument>(this.#parts.connection, NOTICES).insertMany(
        unknown.map(({ at, noticeId, userId }) => ({ _id: noticeId, userId, at: new Date(at) })),
        { session },
      );
      await this.#write(unknown.map(expand), slots, session);
    });
  }

  async repeat(
    claims: readonly RepetitionTimer[],
    expand: (repetition: Repetition, standing: AlertStanding | undefined) => ExpandedPage,
    slots: Slots,
  ): Promise<void> {
    const { connection, outbox, standings, timers } = this.#parts;
    await inTransaction(connection, async (session) => {
      const due = await this.#due(claims, session);
      await timers.remove(claims, session);
      const alertIds = due.map(({ page }) => page.alertId);
      const known = await standings.of(alertIds, session);
      const expanded = due.map((each) => ({ page: each.page, ...expand(each, known.get(each.page.alertId)) }));
      if (expanded.length === 0) return;
      const writes = expanded.map(({ next, page }) => ({
        updateOne: { filter: { _id: page.pageId }, update: { $set: movedOn(next) } },
      }));
      await this.#flows().bulkWrite(writes, { session, ordered: false });
      await this.#write(expanded, slots, session);
      await this.#scheduleRepetitions(expanded, session);
    });
    void outbox.flush();
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
      // Two partitions may call one person for the first time.
      racingIndexes: ['_id_'],
    });
    void this.#parts.outbox.flush();
    return settlement;
  }

  /** Adds what was not seen yet, in the command that finds out which pages those are; answers them, each once. */
  async #addFlows(
    pages: readonly (ExpandedPage & { readonly page: Page })[],
    session: Session,
  ): Promise<readonly (ExpandedPage & { readonly page: Page })[]> {
    const writes = pages.map(({ next, page: { alertId, pageId, pagedAt, userId } }) => {
      const flow: Omit<FlowDocument, '_id'> = { alertId, userId, pagedAt: new Date(pagedAt), ...(next && { next }) };
      return { updateOne: { filter: { _id: pageId }, update: { $setOnInsert: flow }, upsert: true } };
    });
    const { upsertedIds } = await this.#flows().bulkWrite(writes, { session });
    return Object.keys(upsertedIds).flatMap((index) => pages[Number(index)] ?? []);
  }

  /** Those that were not seen yet, each once. */
  async #unknown(notices: readonly NoticeCommand[], session: Session): Promise<readonly NoticeCommand[]> {
    const byId = new Map(notices.map((notice) => [notice.noticeId, notice]));
    const known = await collectionOf<NoticeDocument>(this.#parts.connection, NOTICES)
      .find({ _id: { $in: [...byId.keys()] } }, { session, projection: { _id: 1 } })
      .toArray();
    for (const { _id } of known) byId.delete(_id);
    return [...byId.values()];
  }

  /** The repetitions to which the claims still belong. */
  async #due(claims: readonly RepetitionTimer[], session: Session): Promise<readonly Repetition[]> {
    const fences = new Map(claims.map(({ fence, id }) => [id, fence]));
    const flows = await this.#flows()
      .find({ _id: { $in: [...fences.keys()] } }, { session, projection: { next: 1 } })
      .toArray();
    return flows.flatMap(({ _id, next }) => (next?.number === fences.get(_id) ? (next ?? []) : []));
  }

  async #write(expanded: readonly (ExpandedPage | ExpandedNotice)[], slots: Slots, session: Session): Promise<void> {
    const { deliveries, outbox } = this.#parts;
    const added = expanded.flatMap((each): readonly Delivery[] => each.deliveries);
    const decisions = expanded.flatMap(({ decision }) => decision ?? []);
    const aboutDeliveries = await deliveries.add(added, slots, session);
    await outbox.add(session, Decisions, [...decisions, ...aboutDeliveries]);
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

  #flows() {
    return collectionOf<FlowDocument>(this.#parts.connection, FLOWS);
  }
}

/** The page stays as it is stored. */
function movedOn(next: Repetition | undefined): Readonly<Record<string, unknown>> {
  if (next === undefined) return { next: null };
  return { 'next.number': next.number, 'next.dueAt': next.dueAt, 'next.loopAfterMinutes': next.loopAfterMinutes };
}
