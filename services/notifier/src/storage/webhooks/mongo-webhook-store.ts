import { Decisions, type ConsumedBatch, type Settlement, type WebhookCommand } from '@tocsin/contracts';
import {
  collectionOf,
  inTransaction,
  settleBatches,
  whenCommitted,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import { firstOfEach, planWebhooks, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts';
import type { CallPeriod } from '../../domain/webhooks/call-period.ts';
import type { Turn } from '../../ports/delivery-store.ts';
import type { TurnEnd, WebhookChange, WebhookStore } from '../../ports/webhook-store.ts';
import type { MongoTurns } from '../mongo-turns.ts';
import {
  fromWebhook,
  toWebhook,
  WEBHOOK_DELIVERIES,
  WEBHOOK_TURNS,
  type WebhookDocument,
  type WebhookTurnDocument,
} from './webhook-documents.ts';

export interface MongoWebhookStoreParts {
  readonly connection: Connection;
  readonly outbox: Pick<Outbox, 'add'>;
  /** Over {@link WEBHOOK_TURNS}. */
  readonly turns: MongoTurns;
  /** Called when there may be something to tell. */
  readonly onWaiting: () => void;
}

/** Deliveries that are read for each one that is taken: several may be of one alert. */
const LOOKED_AT = 8;
/** Most rows that one call removes. */
const LOT = 500;

/** Ends a transaction that must leave nothing behind. */
class TurnLost extends Error {}

/** Deliveries to integrations in MongoDB. */
export class MongoWebhookStore implements WebhookStore {
  readonly #parts: MongoWebhookStoreParts;

  constructor(parts: MongoWebhookStoreParts) {
    this.#parts = parts;
  }

  settle(batches: readonly ConsumedBatch<WebhookCommand>[], now: Date): Promise<Settlement> {
    const { connection, onWaiting, turns } = this.#parts;
    return settleBatches({
      connection,
      batches,
      work: async (session, records) => {
        const commands = records.map(({ value }) => value);
        const { deleted, deliveries, erased } = planWebhooks(commands, now);
        await this.#erase(deleted, now, session);
        const added = await this.#unknown(deliveries, session);
        if (added.length === 0) return;
        const rows = added.map((each) => fromWebhook(each, erased.has(each.deliveryId)));
        await this.#rows().insertMany(rows, { session });
        const waiting = new Map(rows.flatMap(({ queue }) => (queue === undefined ? [] : [[queue, now] as const])));
        await turns.enqueue(waiting, session);
        whenCommitted(session, onWaiting, onWaiting);
      },
    });
  }

  claim(now: Date, most: number): Promise<readonly Turn[]> {
    return this.#parts.turns.leases.claim(now, most);
  }

  async keep(turns: readonly Turn[]): Promise<boolean> {
    await this.#parts.turns.leases.renew(turns);
    return this.#parts.turns.leases.freeExpired();
  }

  release(turns: readonly Turn[]): Promise<void> {
    return this.#parts.turns.leases.release(turns);
  }

  async due(turn: Turn, now: Date, most: number): Promise<readonly WebhookDelivery[]> {
    const found = await this.#free(turn, await this.#later(turn, now), { now, most: most * LOOKED_AT });
    return this.#parts.turns.leases.mayStart(turn) ? firstOfEach(found.flatMap(toWebhook)).slice(0, most) : [];
  }

  async calling({ id }: Turn): Promise<CallPeriod | undefined> {
    return (await this.#turns().findOne({ _id: id }, { projection: { calling: 1 } }))?.calling;
  }

  async waiting({ id }: Turn, until: Date, most: number): Promise<readonly WebhookDelivery[]> {
    const found = await this.#rows()
      .find({ queue: id, dueAt: { $lte: until } })
      .sort({ dueAt: 1, version: 1, _id: 1 })
      .limit(most)
      .toArray();
    return found.flatMap(toWebhook);
  }

  async conclude(turn: Turn, changes: readonly WebhookChange[], end: TurnEnd): Promise<boolean> {
    const { connection, outbox } = this.#parts;
    try {
      await inTransaction(connection, async (session) => {
        await this.#hold(turn, session);
        const decisions = await this.#write(changes, end.now, session);
        if (decisions.length > 0) await outbox.add(session, Decisions, decisions);
        await this.#end(turn, end, session);
      });
    } catch (error) {
      if (error instanceof TurnLost) return false;
      throw error;
    }
    return true;
  }

  async remove(until: Date): Promise<number> {
    const filter = { endedAt: { $exists: true, $lte: until } };
    const found = await this.#rows()
      .find(filter, { projection: { _id: 1 }, limit: LOT })
      .toArray();
    if (found.length === 0) return 0;
    await this.#rows().deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length < LOT ? 0 : found.length;
  }

  /** The end of the turn, in the same transaction, collides with whoever takes it meanwhile. */
  async #hold({ id, token }: Turn, session: Session): Promise<void> {
    const held = await this.#turns().findOne({ _id: id, token }, { session, projection: { _id: 1 } });
    if (held === null) throw new TurnLost();
  }

  /** Answers what is to be said of those that were still there. */
  async #write(changes: readonly WebhookChange[], now: Date, session: Session) {
    if (changes.length === 0) return [];
    const ids = changes.map(({ delivery }) => delivery.deliveryId);
    const found = await this.#rows()
      .find({ _id: { $in: ids }, queue: { $exists: true } }, { session, projection: { _id: 1 } })
      .toArray();
    const waiting = new Set(found.map(({ _id }) => _id));
    const written = changes.filter(({ delivery }) => waiting.has(delivery.deliveryId));
    if (written.length > 0)
      await this.#rows().bulkWrite(
        written.map(({ delivery, outcome }) => ({
          updateOne: {
            filter: { _id: delivery.deliveryId },
            update:
              outcome.kind === 'retrying'
                ? { $set: { nextAt: outcome.retryAt, attempts: delivery.attempts + 1 } }
                : ended(now),
          },
        })),
        { session, ordered: false },
      );
    return written.flatMap(({ decision }) => decision ?? []);
  }

  /** Whoever is told more goes on when that is due: what waits behind a delivery that is tried later is not. */
  async #end(turn: Turn, { calling, notBefore, now }: TurnEnd, session: Session): Promise<void> {
    const later = await this.#later(turn, now, session);
    const free = await this.#free(turn, later, { now, most: 1, session });
    const dueAt = free.length === 0 ? later[0]?.nextAt : now;
    const nextAt = dueAt && new Date(Math.max(dueAt.getTime(), (notBefore ?? now).getTime()));
    await this.#parts.turns.end([{ turn, nextAt }], session);
    if (calling !== undefined) await this.#turns().updateOne({ _id: turn.id }, { $set: { calling } }, { session });
  }

  /** Due deliveries of alerts that have no delivery to be tried later, in the order in which they came. */
  #free(
    { id }: Turn,
    later: readonly Pick<WebhookDocument, 'alertId'>[],
    { most, now, session }: { readonly now: Date; readonly most: number; readonly session?: Session },
  ): Promise<readonly WebhookDocument[]> {
    const alertIds = [...new Set(later.map(({ alertId }) => alertId))];
    return this.#rows()
      .find({ queue: id, nextAt: { $lte: now }, alertId: { $nin: alertIds } }, session && { session })
      .sort({ dueAt: 1, version: 1, _id: 1 })
      .limit(most)
      .toArray();
  }

  /** The deliveries that are tried later, the first first: as many as one process calls within the longest pause. */
  #later({ id }: Turn, now: Date, session?: Session): Promise<readonly Pick<WebhookDocument, 'alertId' | 'nextAt'>[]> {
    return this.#rows()
      .find({ queue: id, nextAt: { $gt: now } }, { projection: { alertId: 1, nextAt: 1 }, ...(session && { session }) })
      .sort({ nextAt: 1 })
      .toArray();
  }

  async #erase(deleted: ReadonlyMap<string, number>, now: Date, session: Session): Promise<void> {
    if (deleted.size === 0) return;
    const about = [...deleted].map(([alertId, version]) => ({ alertId, version: { $lt: version } }));
    await this.#rows().updateMany({ queue: { $exists: true }, $or: about }, ended(now), { session });
  }

  async #unknown(deliveries: readonly WebhookDelivery[], session: Session): Promise<readonly WebhookDelivery[]> {
    if (deliveries.length === 0) return [];
    const found = await this.#rows()
      .find({ _id: { $in: deliveries.map(({ deliveryId }) => deliveryId) } }, { session, projection: { _id: 1 } })
      .toArray();
    const known = new Set(found.map(({ _id }) => _id));
    return deliveries.filter(({ deliveryId }) => !known.has(deliveryId));
  }

  #turns() {
    return collectionOf<WebhookTurnDocument>(this.#parts.connection, WEBHOOK_TURNS);
  }

  #rows() {
    return collectionOf<WebhookDocument>(this.#parts.connection, WEBHOOK_DELIVERIES);
  }
}

/** Nothing of its alert stays (A6). */
const ended = (endedAt: Date) => ({
  $set: { endedAt },
  $unset: { queue: '', nextAt: '', dueAt: '', attempts: '', told: '' } as const,
});
