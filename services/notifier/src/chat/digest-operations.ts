import type { Clock } from '@tocsin/core';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import type { ChatChannel, ShowingClient, ChatResult } from './chat-client.ts';
import type { ChatDigests, StoredDigest } from './digest-store.ts';
import { digestPost } from './post.ts';
import type { ChatPosts, StoredLine, StoredPost } from './store.ts';

/** A digest is edited at most once in this time. */
const EDIT_EVERY_MS = 10_000;

/** Nothing is sent before `retryAt`, which counts as no try. */
export interface Postponed {
  readonly kind: 'postponed';
  readonly reason: string;
  readonly retryAt: Date;
}

export interface ListInDigestsPorts {
  readonly digests: Pick<ChatDigests, 'find' | 'open' | 'addChange' | 'recordEdit'>;
  readonly posts: Pick<ChatPosts, 'linesOf' | 'putLine'>;
  readonly clock: Clock;
}

/** A line of a digest, and the channel of the digest. */
export interface DigestLine {
  readonly delivery: Pick<WebhookDelivery, 'deliveryId' | 'webhook'>;
  /** Empty where the alert is deleted. */
  readonly text: string;
  readonly channel: ChatChannel;
  readonly client: ShowingClient;
}

/**
 * Lists alerts of a storm in digests (C6). A delivery waits until its line is shown. So the line needs no other timer, and no crash
 * loses it.
 */
export class ListInDigests {
  readonly #ports: ListInDigestsPorts;

  constructor(ports: ListInDigestsPorts) {
    this.#ports = ports;
  }

  /** Adds the line of an alert, or changes it. `known` is what is stored about the alert. @throws errors of the stores. */
  async list(line: DigestLine, known: StoredPost | undefined): Promise<SendResult | Postponed> {
    const stored = await this.#store(line, known);
    const digest = await this.#ports.digests.find(stored.digest);
    if (digest === undefined || digest.shown >= stored.change) return LISTED;
    const { clock } = this.#ports;
    const editAt = new Date((digest.editedAt?.getTime() ?? 0) + EDIT_EVERY_MS);
    if (editAt > clock.now()) return { kind: 'postponed', reason: 'its digest is edited soon', retryAt: editAt };
    return this.#edit(line, digest);
  }

  /** A repeat of the delivery, and an event that comes late, change nothing. */
  async #store({ delivery, text }: DigestLine, known: StoredPost | undefined): Promise<StoredLine> {
    const { clock, digests, posts } = this.#ports;
    const { deliveryId, webhook } = delivery;
    const line = known?.line;
    const isKnown = known?.deliveryId === deliveryId || (known?.version ?? 0) > webhook.version;
    if (line !== undefined && isKnown) return line;
    const now = clock.now();
    const digest = line?.digest ?? (await digests.open(webhook.integrationId, deliveryId, now));
    const change = await digests.addChange(digest, line === undefined);
    const added = { digest, text, change };
    await posts.putLine(webhook, { deliveryId, version: webhook.version, line: added }, now);
    return added;
  }

  async #edit({ channel, client }: DigestLine, digest: StoredDigest): Promise<SendResult> {
    const { clock, digests, posts } = this.#ports;
    const post = digestPost(await posts.linesOf(digest.id));
    const { reference } = digest;
    const edited: ChatResult = reference === undefined ? { kind: 'gone' } : await client.edit(channel, reference, post);
    // It may be too old to edit: no word of an alert stays in it.
    if (edited.kind === 'gone' && reference !== undefined) await client.remove(channel, reference);
    const result = edited.kind === 'gone' ? await client.post(channel, post) : edited;
    if (result.kind === 'gone') return { kind: 'permanent', reason: 'the channel is gone' };
    if (result.kind !== 'done') return result;
    const shownIn = edited.kind === 'done' && reference !== undefined ? reference : result.reference;
    await digests.recordEdit(digest.id, { reference: shownIn, change: digest.changes, at: clock.now() });
    return LISTED;
  }
}

const LISTED: SendResult = {
  kind: 'accepted',
  response: 'it is listed with others, because there are too many for a post each',
};
