import {
  Decisions,
  type AlertEvent,
  type BuriedRecord,
  type ConsumedBatch,
  type Decision,
  type Page,
  type Settlement,
} from '@tocsin/contracts';
import {
  buryRecord,
  collectionOf,
  inTransaction,
  settleBatch,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { mayPage, type AlertStanding } from '../domain/wanted.ts';
import type { DeliveryChange, ExpandedPage, NotificationStore } from '../ports/notification-store.ts';
import { DELIVERIES, FLOWS, STANDINGS, type FlowDocument, type StandingDocument } from './documents.ts';
import { fromDelivery, toDelivery, type DeliveryDocument } from './delivery-document.ts';
import { standingOf } from './standing.ts';

export type StepTimer = DueTimer<null>;

export interface MongoNotificationStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  /** Where the timers of deliveries live; a timer's id is its delivery's. */
  readonly timers: Pick<Timers<null>, 'schedule' | 'remove'>;
}

/** Deliveries, their timers and the standing of alerts in MongoDB, each change with its decisions in one transaction. */
export class MongoNotificationStore implements NotificationStore<StepTimer> {
  readonly #parts: MongoNotificationStoreParts;

  constructor(parts: MongoNotificationStoreParts) {
    this.#parts = parts;
  }

  async settlePages(batch: ConsumedBatch<Page>, expand: (page: Page) => ExpandedPage): Promise<Settlement> {
    const { connection, outbox } = this.#parts;
    const settlement = await settleBatch({
      connection,
      batch,
      work: async (session, records) => {
        const unknown = await this.#unknownPages(
          records.map(({ value }) => value),
          session,
        );
        await this.#insert(unknown, unknown.map(expand), session);
      },
    });
    void outbox.flush();
    return settlement;
  }

  async #unknownPages(pages: readonly Page[], session: Session): Promise<readonly Page[]> {
    const byId = new Map(pages.map((page) => [page.pageId, page]));
    const known = await this.#flows()
      .find({ _id: { $in: [...byId.keys()] } }, { session, projection: { _id: 1 } })
      .toArray();
    for (const { _id } of known) byId.delete(_id);
    return [...byId.values()];
  }

  async #insert(pages: readonly Page[], expanded: readonly ExpandedPage[], session: Session): Promise<void> {
    if (pages.length === 0) return;
    const flows = pages.map(({ pageId, alertId, userId, pagedAt }) => ({
      _id: pageId,
      alertId,
      userId,
      pagedAt: new Date(pagedAt),
    }));
    await this.#flows().insertMany(flows, { session });
    const deliveries = expanded.flatMap((each) => each.deliveries);
    if (deliveries.length > 0) {
      await this.#deliveries().insertMany(deliveries.map(fromDelivery), { session });
      const timers = deliveries.map(({ deliveryId, dueAt }) => timerOf(deliveryId, dueAt));
      await this.#parts.timers.schedule(session, timers);
    }
    await this.#parts.outbox.add(
      session,
      Decisions,
      expanded.map(({ decision }) => decision),
    );
  }

  async settleAlerts(batch: ConsumedBatch<AlertEvent>): Promise<Settlement> {
    return settleBatch({
      connection: this.#parts.connection,
      batch,
      work: async (session, records) => {
        const newest = new Map<string, AlertStanding>();
        for (const { value: event } of records) {
          if (!mayPage(event)) continue;
          const known = newest.get(event.alertId);
          if (known === undefined || known.version < event.version) newest.set(event.alertId, standingOf(event));
        }
        if (newest.size > 0) await this.#keepNewest(newest, session);
      },
    });
  }

  async #keepNewest(newest: ReadonlyMap<string, AlertStanding>, session: Session): Promise<void> {
    const stored = await this.#standingsOf([...newest.keys()], session);
    const ahead = [...newest.values()].filter(({ alertId, version }) => (stored.get(alertId)?.version ?? -1) < version);
    if (ahead.length === 0) return;
    await this.#standings().bulkWrite(
      ahead.map(({ alertId, ...standing }) => ({
        replaceOne: { filter: { _id: alertId }, replacement: standing, upsert: true },
      })),
      { session, ordered: false },
    );
  }

  async bury(record: BuriedRecord): Promise<Settlement> {
    return buryRecord({ connection: this.#parts.connection, record, work: () => Promise.resolve() });
  }

  async begin(
    claims: readonly StepTimer[],
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
  ): Promise<readonly Delivery[]> {
    const { connection, outbox, timers } = this.#parts;
    const begun = await inTransaction(connection, async (session) => {
      const ids = claims.map(({ id }) => id);
      const documents = await this.#deliveries()
        .find({ _id: { $in: ids } }, { session })
        .toArray();
      const open = documents.map(toDelivery).filter((delivery) => !isFinal(delivery));
      const standings = await this.#standingsOf([...new Set(open.map(({ page }) => page.alertId))], session);
      const changes = open.map((delivery) => decide(delivery, standings.get(delivery.page.alertId)));
      await this.#write(changes, session);
      const alive = new Set(
        changes.filter(({ delivery }) => !isFinal(delivery)).map((change) => change.delivery.deliveryId),
      );
      await timers.remove(
        claims.filter(({ id }) => !alive.has(id)),
        session,
      );
      return changes.map(({ delivery }) => delivery);
    });
    void outbox.flush();
    return begun;
  }

  async conclude(changes: readonly (DeliveryChange & { readonly claim: StepTimer })[]): Promise<void> {
    const { connection, outbox, timers } = this.#parts;
    await inTransaction(connection, async (session) => {
      await this.#write(changes, session);
      await timers.remove(
        changes.map(({ claim }) => claim),
        session,
      );
      const retries = changes.flatMap(({ claim, retryAt }) =>
        retryAt === undefined ? [] : [timerOf(claim.id, retryAt)],
      );
      if (retries.length > 0) await timers.schedule(session, retries);
    });
    void outbox.flush();
  }

  async #write(changes: readonly DeliveryChange[], session: Session): Promise<void> {
    if (changes.length === 0) return;
    await this.#deliveries().bulkWrite(
      changes.map(({ delivery }) => {
        const { _id, ...replacement } = fromDelivery(delivery);
        return { replaceOne: { filter: { _id }, replacement } };
      }),
      { session, ordered: false },
    );
    const decisions = changes.map(({ decision }) => decision).filter((each): each is Decision => each !== undefined);
    await this.#parts.outbox.add(session, Decisions, decisions);
  }

  async #standingsOf(alertIds: readonly string[], session: Session): Promise<ReadonlyMap<string, AlertStanding>> {
    const documents = await this.#standings()
      .find({ _id: { $in: [...alertIds] } }, { session })
      .toArray();
    return new Map(documents.map(({ _id, ...standing }) => [_id, { alertId: _id, ...standing }]));
  }

  #flows() {
    return collectionOf<FlowDocument>(this.#parts.connection, FLOWS);
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }

  #standings() {
    return collectionOf<StandingDocument>(this.#parts.connection, STANDINGS);
  }
}

const timerOf = (id: string, dueAt: Date) => ({ id, dueAt, fence: 0, payload: null });
