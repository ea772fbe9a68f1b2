import { collectionOf, type Connection } from '@tocsin/mongo';
import { type DeliveryDocument, DELIVERIES } from '../messages/delivery-document.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import type { FailedPost } from '../webhooks/readiness.ts';

/** Reads the calls of webhooks that have ended. */
export class EndedCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The last call of the integration, if it failed at `since` or later; undefined where one was accepted after it. */
  async lastFailed(integrationId: string, since: Date): Promise<FailedPost | undefined> {
    const failed = await this.#last(integrationId, 'failed', since);
    if (failed === undefined) return undefined;
    const sent = await this.#last(integrationId, 'sent', failed.at);
    return sent === undefined ? failed : undefined;
  }

  async #last(integrationId: string, state: WebhookDelivery['state'], since: Date): Promise<FailedPost | undefined> {
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES).findOne(
      { 'webhook.integrationId': integrationId, state, endedAt: { $gte: since } },
      { sort: { endedAt: -1 }, projection: { endedAt: 1, reason: 1 } },
    );
    if (found?.endedAt === undefined) return undefined;
    return { at: found.endedAt, reason: found.reason ?? '' };
  }
}
