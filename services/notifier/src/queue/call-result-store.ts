import { collectionOf, type Connection } from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import { TRY_FOR_MS } from '../messages/attempts.ts';
import { type DeliveryDocument, DELIVERIES } from '../messages/delivery-document.ts';
import type { FailedDeletions, FailedPost } from '../webhooks/readiness.ts';
import { chatQueueOf } from './recipient-queue.ts';

/** Reads how calls of webhooks, and events for channels of chat, went. */
export class CallResults {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The last call of the integration, if it failed at `since` or later, or the event for its channel that is tried for over 15 minutes;
   * undefined where a call was accepted after that.
   */
  async lastFailed(integrationId: string, since: Date, now: Date): Promise<FailedPost | undefined> {
    const tried = await this.#tried(integrationId, new Date(now.getTime() - TRY_FOR_MS));
    const failed = await this.#last({ 'webhook.integrationId': integrationId, state: 'failed' }, since);
    for (const post of [tried, failed]) {
      if (post === undefined) continue;
      const sent = await this.#last({ 'webhook.integrationId': integrationId, state: 'sent' }, post.at);
      if (sent === undefined) return post;
    }
    return undefined;
  }

  /** The deletions of alerts that the channel of an integration did not take at `since` or later; undefined where there are none. */
  async failedDeletions(integrationId: string, since: Date): Promise<FailedDeletions | undefined> {
    const deletions = { 'webhook.integrationId': integrationId, state: 'failed', 'webhook.action': 'Delete' } as const;
    const last = await this.#last(deletions, since);
    if (last === undefined) return undefined;
    return { ...last, count: await this.#deliveries().countDocuments({ ...deletions, endedAt: { $gte: since } }) };
  }

  async #last(calls: mongo.Filter<DeliveryDocument>, since: Date): Promise<FailedPost | undefined> {
    const found = await this.#deliveries().findOne(
      { ...calls, endedAt: { $gte: since } },
      { sort: { endedAt: -1 }, projection: { endedAt: 1, reason: 1 } },
    );
    if (found?.endedAt === undefined) return undefined;
    return { at: found.endedAt, reason: found.reason ?? '' };
  }

  /** The event for a channel of chat whose first try was the earliest, at `until` or before. */
  async #tried(integrationId: string, until: Date): Promise<FailedPost | undefined> {
    const found = await this.#deliveries().findOne(
      { queue: chatQueueOf(integrationId), triedSince: { $lte: until } },
      { sort: { triedSince: 1 }, projection: { triedSince: 1, reason: 1 } },
    );
    if (found?.triedSince === undefined) return undefined;
    return { at: found.triedSince, reason: found.reason ?? '' };
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#connection, DELIVERIES);
  }
}
