import type { mongo } from 'mongoose';
import { type Cancel, type Decision, Decisions, type Erase } from '@tocsin/events';
import {
  collectionOf,
  type Connection,
  type DueWork,
  type DueWorkOptions,
  type Outbox,
  type Session,
} from '@tocsin/mongo';
import { type PageDocument, repetitionUpdate, toRepetitions, DELIVERIES } from '../messages/delivery-document.ts';
import type { PageDelivery } from '../messages/delivery.ts';
import type { NewDeliveries, NewPage } from '../queue/new-delivery-store.ts';
import { noSlots, type Slots } from '../queue/message-result.ts';
import type { ExpandedPage, ExpandRepetition, NewPages } from './expanded-page.ts';
import { waitsForUser, type Repetition } from './repetition.ts';
import type { RepeatSteps } from './task.ts';

export interface PageStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly deliveries: Pick<NewDeliveries, 'add' | 'gate'>;
  /** Repeats the steps of pages. */
  readonly dueWork: Pick<DueWork<PageDocument>, 'wakeAfterCommit'>;
}

/**
 * Stores pages, their repetitions and their deliveries. It also begins a message that is due at once, if a slot is free, the user's queue
 * has no lease and no other message in it is due. The message is handed over after the commit. Where the answer to the commit was lost, it
 * waits until its lease has expired, and its outcome counts as unknown.
 */
export class PageStore {
  readonly #parts: PageStoreParts;

  constructor(parts: PageStoreParts) {
    this.#parts = parts;
  }

  /** Those of the pages that were added before. */
  async knownPages(pageIds: readonly string[], session: Session): Promise<ReadonlySet<string>> {
    const known = await this.#pages()
      .find({ _id: { $in: [...new Set(pageIds)] } }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(known.map(({ _id }) => _id));
  }

  /**
   * Adds pages, with their deliveries and decisions. Cancels end the earlier pages, and erases remove them.
   *
   * @throws where one of the pages is known.
   */
  async addPages({ cancels, erases, expanded, slots }: NewPages, session: Session): Promise<void> {
    await this.#write(expanded, { pages: expanded, session, slots });
    this.#written(expanded, session);
    await cancelPages(this.#parts.connection, cancels, session);
    await eraseAlerts(this.#parts.connection, erases, session);
  }

  /** Adds a decision for the log. */
  async addDecision(decision: Decision, session: Session): Promise<void> {
    await this.#parts.outbox.add(session, Decisions, [decision]);
  }

  /**
   * Does due repetitions in the transaction of `session`. Their messages wait in their queues and are sent after the commit.
   */
  async repeat(session: Session, due: readonly Repetition[], expand: ExpandRepetition, now: Date): Promise<void> {
    const expanded = due.map((each) => ({ page: each.page, number: each.number, ...expand(each) }));
    // A page that waited for its user is processed like a new page: its row is made anew.
    const waited = expanded.filter(waitsForUser);
    if (waited.length > 0)
      await this.#pages().deleteMany({ _id: { $in: waited.map(({ page }) => page.pageId) } }, { session });
    const writes = expanded
      .filter((each) => !waitsForUser(each))
      .map(({ next, page }) => ({ updateOne: { filter: { _id: page.pageId }, update: repetitionUpdate(next) } }));
    if (writes.length > 0) await this.#pages().bulkWrite(writes, { session, ordered: false });
    await this.#write(expanded, { pages: waited, session, slots: noSlots(now) });
    this.#written(expanded, session);
  }

  async #write(
    expanded: readonly ExpandedPage[],
    to: { readonly pages: readonly NewPage[]; readonly session: Session; readonly slots: Slots },
  ): Promise<void> {
    const { deliveries, outbox } = this.#parts;
    const added = expanded.flatMap((each) => each.deliveries);
    const decisions = expanded.flatMap(({ decision }) => decision ?? []);
    const aboutDeliveries = await deliveries.add(added, to);
    await outbox.add(to.session, Decisions, [...decisions, ...aboutDeliveries]);
  }

  #written(expanded: readonly ExpandedPage[], session: Session): void {
    this.#parts.dueWork.wakeAfterCommit(
      session,
      expanded.map(({ next }) => next?.dueAt),
    );
  }

  #pages() {
    return collectionOf<PageDocument>(this.#parts.connection, DELIVERIES);
  }
}

/** The fields of a page's row by which cancels find it. A final message has none of them. */
interface CancellableRow {
  readonly _id: string;
  readonly page: Pick<PageDelivery['page'], 'alertId' | 'alertVersion' | 'cancelOn' | 'userId'>;
  readonly cancelReason?: string;
  readonly next?: Omit<Repetition, 'dueAt'>;
}

/**
 * Marks the open parts of pages that cancels end, in the transaction: repetitions, and messages that wait, are under way, or that a
 * receipt may move to another provider. Each is dropped when it is due, and the log says why. The first cancel of a message counts.
 */
async function cancelPages(connection: Connection, cancels: readonly Cancel[], session: Session): Promise<void> {
  if (cancels.length === 0) return;
  await collectionOf<CancellableRow>(connection, DELIVERIES).bulkWrite(cancels.flatMap(updatesOf), { session });
}

function updatesOf({
  alertId,
  alertVersion,
  on,
  reason,
  userId,
}: Cancel): mongo.AnyBulkWriteOperation<CancellableRow>[] {
  const isBefore = { $lt: alertVersion };
  const messages = { 'page.alertId': alertId, 'page.userId': userId, 'page.alertVersion': isBefore };
  const ended = on === 'close' ? { $in: ['ack' as const, 'close' as const] } : 'ack';
  const repetitions = {
    'next.page.alertId': alertId,
    'next.page.userId': userId,
    'next.page.alertVersion': isBefore,
    'next.cancelReason': { $exists: false },
  };
  return [
    {
      updateMany: {
        filter: { ...messages, 'page.cancelOn': ended, cancelReason: { $exists: false } },
        update: { $set: { cancelReason: reason } },
      },
    },
    {
      updateMany: {
        filter: {
          ...repetitions,
          'next.page.cancelOn': { $exists: true },
          $or: [{ 'next.number': { $gt: 0 } }, { 'next.page.cancelOn': ended }],
        },
        update: { $set: { 'next.cancelReason': reason } },
      },
    },
    // A page that waits for its user, and that only a close cancels, is still sent after an acknowledgement, but not repeated.
    ...(on === 'close'
      ? []
      : [
          {
            updateMany: {
              filter: { ...repetitions, 'next.number': 0, 'next.page.cancelOn': 'close' as const },
              update: { $set: { 'next.page.once': true as const } },
            },
          },
        ]),
  ];
}

/**
 * Removes the content of alerts, in the transaction (A6): repetitions, messages that wait, and messages that a receipt may move to
 * another provider. The ids of pages stay, so that a repeated page has no effect. Final messages have no content, and retention removes
 * them. An alert may have many thousands of these, and none is read here.
 */
async function eraseAlerts(connection: Connection, erases: readonly Erase[], session: Session): Promise<void> {
  if (erases.length === 0) return;
  const rows = collectionOf<PageDocument>(connection, DELIVERIES);
  const about = {
    $or: erases.flatMap(({ alertId, userId }) =>
      ['page', 'next.page'].map((page) => withContent(page, alertId, userId)),
    ),
  };
  // The first delivery of a page has the id of the page.
  await rows.deleteMany({ ...about, $expr: { $ne: ['$_id', '$page.pageId'] } }, { session });
  const page = { pageId: '$page.pageId', alertId: '$page.alertId', userId: '$page.userId' };
  await rows.updateMany(about, [{ $replaceWith: { _id: '$_id', page, endedAt: '$$NOW' } }], { session });
}

const withContent = (page: string, alertId: string, userId: string | undefined): mongo.Filter<PageDocument> => ({
  [`${page}.alertId`]: alertId,
  ...(userId !== undefined && { [`${page}.userId`]: userId }),
  [`${page}.alertVersion`]: { $gte: 0 },
});

export interface PreparedRepetitions {
  readonly expand: ExpandRepetition;
  readonly now: Date;
}

type RepetitionWork = Pick<
  DueWorkOptions<PageDocument, PreparedRepetitions>,
  'batch' | 'collection' | 'skipFirstItem' | 'prepare' | 'process'
>;

/** How many pages are repeated together at most. Each has the content of its alert. */
const MAX_PAGES = 100;

/** Repeats the steps of pages. The parts may be made later. */
export const repetitionWork = (
  parts: () => {
    readonly steps: Pick<RepeatSteps, 'giveUp' | 'prepare'>;
    readonly store: Pick<PageStore, 'repeat'>;
  },
): RepetitionWork => ({
  collection: DELIVERIES,
  batch: MAX_PAGES,
  prepare: async (found, now) => ({ now, expand: await parts().steps.prepare(found.flatMap(toRepetitions), now) }),
  process: (session, due, { expand, now }) => parts().store.repeat(session, due.flatMap(toRepetitions), expand, now),
  skipFirstItem: (session, page, reason, now) => {
    const { steps, store } = parts();
    return store.repeat(session, toRepetitions(page), (repetition) => steps.giveUp(repetition, reason, now), now);
  },
});
