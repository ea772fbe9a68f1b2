import { type Decision, Decisions, type WebhookCommand } from '@tocsin/events';
import { collectionOf, type Connection, type Outbox, type Session, whenCommitted } from '@tocsin/mongo';
import type { WebhookDelivery } from '../messages/delivery.ts';
import { webhookIdOf } from '../webhooks/webhook-delivery.ts';
import {
  type DeliveryDocument,
  erasedWebhooks,
  fromDelivery,
  fromErasedWebhook,
  AFTER_EARLIER_CALL,
  WITH_CONTENT,
  DELIVERIES,
} from '../messages/delivery-document.ts';
import type { RecipientQueues } from './recipient-queue-store.ts';

export interface WebhookCallsParts {
  readonly connection: Connection;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly queues: Pick<RecipientQueues, 'enqueue'>;
  /** Called when there may be a webhook to call. */
  readonly onWaiting: () => void;
}

/** The results of commands about webhooks. */
export interface NewWebhooks {
  readonly now: Date;
  /** The alerts that are deleted, with the version in which they were. */
  readonly deleted: ReadonlyMap<string, number>;
  /** The calls to make. */
  readonly calls: readonly WebhookDelivery[];
  /** The calls whose alert is deleted in the same batch. Only their ids are stored. */
  readonly erased: readonly WebhookDelivery[];
}

/** Inserts new calls of webhooks. */
export class WebhookCalls {
  readonly #parts: WebhookCallsParts;

  constructor(parts: WebhookCallsParts) {
    this.#parts = parts;
  }

  /** The calls that the commands ask for and that were added before, by id. */
  async findKnown(commands: readonly WebhookCommand[], session: Session): Promise<ReadonlySet<string>> {
    const ids = commands.flatMap(({ commandId, integrationIds }) =>
      integrationIds.map((integrationId) => webhookIdOf(commandId, integrationId)),
    );
    if (ids.length === 0) return new Set();
    const found = await this.#deliveries()
      .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** The integrations with a call about one of these alerts that waits or is under way. */
  async findCalled(alertIds: readonly string[], session: Session): Promise<readonly Alert[]> {
    if (alertIds.length === 0) return [];
    const found = await this.#deliveries()
      .find({ ...WITH_CONTENT, 'webhook.alertId': { $in: [...alertIds] } }, { session })
      .project<Pick<FoundCall, 'webhook'>>({ 'webhook.alertId': 1, 'webhook.integrationId': 1 })
      .toArray();
    return found.map(({ webhook }) => webhook);
  }

  /** Adds calls, after the waiting calls of deleted alerts are erased. */
  async add({ deleted, erased, now, calls }: NewWebhooks, session: Session): Promise<void> {
    const { onWaiting, queues } = this.#parts;
    await this.#erase(deleted, now, session);
    if (calls.length + erased.length === 0) return;
    const rows = [...(await this.#documentsOf(calls, now, session)), ...erased.map(fromErasedWebhook)];
    await this.#deliveries().insertMany(rows, { session });
    // Also writes the queue of a call that is not due yet: see `waitingCalls`.
    await queues.enqueue(new Map(rows.flatMap(({ queue }) => (queue === undefined ? [] : [[queue, now]]))), session);
    whenCommitted(session, onWaiting, onWaiting);
  }

  async addDecision(decision: Decision, session: Session): Promise<void> {
    await this.#parts.outbox.add(session, Decisions, [decision]);
  }

  /**
   * A call is due once each earlier call about its alert is final. It waits in the queue of that one, which may be another where it was
   * not known yet that the integration is a channel of chat.
   */
  async #documentsOf(
    deliveries: readonly WebhookDelivery[],
    now: Date,
    session: Session,
  ): Promise<readonly DeliveryDocument[]> {
    const { connection } = this.#parts;
    const before = await waitingCalls(
      connection,
      deliveries.map(({ webhook }) => webhook),
      session,
    );
    const queues = new Map(before.map(({ queue, webhook }) => [keyOf(webhook), queue]));
    const inOrder = deliveries.toSorted((one, other) => one.webhook.version - other.webhook.version);
    return inOrder.map((delivery) => {
      const key = keyOf(delivery.webhook);
      const row = fromDelivery(delivery, now);
      const queue = queues.get(key);
      if (queue !== undefined) return { ...row, queue, nextAt: AFTER_EARLIER_CALL };
      if (row.queue !== undefined) queues.set(key, row.queue);
      return row;
    });
  }

  async #erase(deleted: ReadonlyMap<string, number>, now: Date, session: Session): Promise<void> {
    if (deleted.size === 0) return;
    const about = [...deleted].map(([alertId, version]) => ({
      'webhook.alertId': alertId,
      'webhook.version': { $lt: version },
    }));
    await this.#deliveries().updateMany({ ...WITH_CONTENT, $or: about }, erasedWebhooks(now), { session });
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

type Alert = Pick<WebhookDelivery['webhook'], 'alertId' | 'integrationId'>;

/** Names the calls of one integration about one alert. */
const keyOf = ({ alertId, integrationId }: Alert): string => JSON.stringify([alertId, integrationId]);

interface FoundCall {
  readonly _id: string;
  readonly webhook: Alert;
  readonly queue: string;
  readonly nextAt: Date;
}

/**
 * The calls of these integrations about these alerts that wait or are under way, in the order of their versions. A transaction
 * that ends or adds a call also writes its queue, so of two concurrent transactions one conflicts, runs again and sees the other.
 */
async function waitingCalls(
  connection: Connection,
  alerts: readonly Alert[],
  session: Session,
): Promise<readonly FoundCall[]> {
  if (alerts.length === 0) return [];
  const about = new Map(alerts.map((alert) => [keyOf(alert), alert]));
  const either = [...about.values()].map(({ alertId, integrationId }) => ({
    'webhook.alertId': alertId,
    'webhook.integrationId': integrationId,
  }));
  return collectionOf<DeliveryDocument>(connection, DELIVERIES)
    .find({ ...WITH_CONTENT, $or: either }, { session })
    .project<FoundCall>({ 'webhook.alertId': 1, 'webhook.integrationId': 1, queue: 1, nextAt: 1 })
    .sort({ 'webhook.alertId': 1, 'webhook.integrationId': 1, 'webhook.version': 1, _id: 1 })
    .toArray();
}

/** Makes the next call due about the alert of each of these calls, which became final in the same transaction. */
export async function releaseNext(
  connection: Connection,
  ended: readonly WebhookDelivery[],
  { now, session }: { readonly now: Date; readonly session: Session },
): Promise<void> {
  const waiting = await waitingCalls(
    connection,
    ended.map(({ webhook }) => webhook),
    session,
  );
  const first = new Map(waiting.toReversed().map((call) => [keyOf(call.webhook), call]));
  const released = [...first.values()].filter(({ nextAt }) => nextAt >= AFTER_EARLIER_CALL);
  if (released.length === 0) return;
  await collectionOf<DeliveryDocument>(connection, DELIVERIES).updateMany(
    { _id: { $in: released.map(({ _id }) => _id) } },
    { $set: { nextAt: now } },
    { session },
  );
}
