import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import { CHAT_POSTS } from '../messages/delivery-document.ts';
import type { PostReference } from './chat-client.ts';

/** The alert that a channel follows, and the integration of the channel. */
export interface FollowedAlert {
  readonly alertId: string;
  readonly integrationId: string;
}

/** The line of an alert in a digest of a storm (C6). */
export interface StoredLine {
  /** The id of the digest. */
  readonly digest: string;
  /** Empty where the alert is deleted. */
  readonly text: string;
  /** The change of the digest by which it was added, or changed last. */
  readonly change: number;
}

/** The post about an alert in one channel, or its line in a digest, or both. But for the line it has no content of the alert (A6). */
export interface StoredPost {
  /** Absent where the alert is in a digest alone. */
  readonly reference?: PostReference;
  readonly line?: StoredLine;
  /** The delivery of the last event that the channel shows. */
  readonly deliveryId: string;
  /** The version of the alert that is shown. */
  readonly version: number;
  /** The replies below the post, by the ids of the product, oldest first. */
  readonly replies: readonly string[];
}

/** The part of {@link StoredPost} about a post of its own. */
export type OwnPost = Required<Omit<StoredPost, 'line'>>;

interface PostDocument extends Omit<StoredPost, 'replies'> {
  readonly _id: string;
  readonly integrationId: string;
  readonly replies?: readonly string[];
  /** When the post was made. */
  readonly postedAt?: Date;
  /** When the channel last got an event. */
  readonly at: Date;
}

/** Posts about alerts in channels of chat. */
export class ChatPosts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(alert: FollowedAlert): Promise<StoredPost | undefined> {
    const projection = { _id: 0, at: 0, integrationId: 0, postedAt: 0 };
    const found = await this.#posts().findOne({ _id: idOf(alert) }, { projection });
    return found === null ? undefined : { ...found, replies: found.replies ?? [] };
  }

  /** The integrations whose channels have a post about one of these alerts, by alert. */
  async integrationsOf(alertIds: readonly string[], session: Session): Promise<readonly FollowedAlert[]> {
    if (alertIds.length === 0) return [];
    // No character comes between a colon and a semicolon.
    const ofAlerts = alertIds.map((id) => ({ _id: { $gte: `${id}:`, $lt: `${id};` } }));
    const found = await this.#posts()
      .find({ $or: ofAlerts }, { session, projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => alertOf(_id));
  }

  /** How many posts the channel of an integration got after an instant. */
  async countAfter(integrationId: string, instant: Date, limit: number): Promise<number> {
    return this.#posts().countDocuments({ integrationId, postedAt: { $gt: instant } }, { limit });
  }

  /** Stores a post, in place of an earlier one about the alert in the channel. `isNew`: it was made now. */
  async put(
    alert: FollowedAlert,
    post: OwnPost,
    { at, isNew }: { readonly at: Date; readonly isNew: boolean },
  ): Promise<void> {
    const { integrationId } = alert;
    const { deliveryId, reference, replies, version } = post;
    const row = { reference, deliveryId, version, replies, at, integrationId, ...(isNew && { postedAt: at }) };
    await this.#posts().updateOne({ _id: idOf(alert) }, { $set: row }, { upsert: true });
  }

  /** Stores the line of an alert in a digest. */
  async putLine(
    alert: FollowedAlert,
    { deliveryId, line, version }: Required<Pick<StoredPost, 'deliveryId' | 'line' | 'version'>>,
    at: Date,
  ): Promise<void> {
    const { integrationId } = alert;
    const row = { deliveryId, version, line, at, integrationId };
    await this.#posts().updateOne({ _id: idOf(alert) }, { $set: row }, { upsert: true });
  }

  /** The lines of a digest, those first that were added or changed first. At most as many as a digest has. */
  async linesOf(digest: string): Promise<readonly string[]> {
    const found = await this.#posts()
      .find({ 'line.digest': digest }, { projection: { line: 1 } })
      .sort({ 'line.digest': 1, _id: 1 })
      .toArray();
    const lines = found.flatMap(({ line }) => line ?? []).toSorted((one, other) => one.change - other.change);
    return lines.map(({ text }) => text).filter((text) => text !== '');
  }

  /** Forgets the post of an alert, whose line stays. */
  async removeReference(alert: FollowedAlert): Promise<void> {
    await this.#posts().updateOne({ _id: idOf(alert) }, { $unset: { reference: 1 } });
  }

  /** Stores that a reply is gone. */
  async removeReply(alert: FollowedAlert, reply: string): Promise<void> {
    await this.#posts().updateOne({ _id: idOf(alert) }, { $pull: { replies: reply } });
  }

  async remove(alert: FollowedAlert): Promise<void> {
    await this.#posts().deleteOne({ _id: idOf(alert) });
  }

  #posts() {
    return collectionOf<PostDocument>(this.#connection, CHAT_POSTS);
  }
}

const idOf = ({ alertId, integrationId }: FollowedAlert): string => `${alertId}:${integrationId}`;

function alertOf(id: string): FollowedAlert {
  const at = id.indexOf(':');
  return { alertId: id.slice(0, at), integrationId: id.slice(at + 1) };
}
