import type { Clock } from '@tocsin/core';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import type { PostponedCall } from '../webhooks/operations.ts';
import type { ChatChannel, ShowingClient, PostReference } from './chat-client.ts';
import type { ChatDigests, StoredDigest } from './digest-store.ts';
import { editOrRemove } from './edit-operations.ts';
import { type ChatPost, digestMessage, digestPost } from './post.ts';
import type { ChatPosts, StoredLine, StoredPost } from './store.ts';

/** A digest is edited at most once in this time. */
const EDIT_EVERY_MS = 10_000;
/** Where nothing is edited, a message lists what came in this time. */
const LIST_EVERY_MS = 30_000;

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
  /** Calls nothing once this process has no lease of the queue. */
  readonly client: ShowingClient;
  /** Takes back what this process has shown too late: it needs no lease. */
  readonly repair: ShowingClient;
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
  async list(line: DigestLine, known: StoredPost | undefined): Promise<SendResult | PostponedCall> {
    const stored = await this.#store(line, known);
    const digest = await this.#ports.digests.find(stored.digest);
    if (digest === undefined || digest.shown >= stored.change) return LISTED;
    const { clock } = this.#ports;
    const editAt = nextEditAt(digest, line.client.abilities.changes);
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
    const change = await digests.addChange(digest, line === undefined, now);
    const added = { digest, text, change };
    await posts.putLine(webhook, { deliveryId, version: webhook.version, line: added }, now);
    return added;
  }

  async #edit(line: DigestLine, digest: StoredDigest): Promise<SendResult | PostponedCall> {
    const { clock, digests } = this.#ports;
    const { channel, client } = line;
    const { changes } = client.abilities;
    const post = await this.#postOf(digest, changes);
    const before = changes ? digest.reference : undefined;
    const edited = before && (await editOrRemove(client, { channel, reference: before }, post));
    const keys = { message: `${digest.id}:${digest.changes}`, thread: digest.id };
    const result = edited === undefined || edited.kind === 'gone' ? await client.post(channel, post, keys) : edited;
    if (result.kind === 'gone') return { kind: 'permanent', reason: 'the channel is gone' };
    if (result.kind !== 'done') return result;
    const reference = before !== undefined && result === edited ? before : result.reference;
    const isLast = await digests.recordEdit(digest, { reference, at: clock.now() });
    if (!isLast) await this.#showAgain(line, digest.id, reference);
    return LISTED;
  }

  /** All lines of a digest, or where nothing is edited those that no message showed. */
  async #postOf({ id, shown }: StoredDigest, changes: boolean): Promise<ChatPost> {
    const { posts } = this.#ports;
    return changes ? digestPost(await posts.linesOf(id)) : digestMessage(await posts.linesOf(id, shown));
  }

  /** The post that was edited by another process meanwhile shows the lines of now again, and a second one is removed. */
  async #showAgain({ channel, repair }: DigestLine, id: string, reference: PostReference): Promise<void> {
    const { digests, posts } = this.#ports;
    const present = await digests.find(id);
    if (present?.reference?.post !== reference.post) await repair.remove(channel, reference);
    else await editOrRemove(repair, { channel, reference }, digestPost(await posts.linesOf(id)));
  }
}

const nextEditAt = ({ editedAt, openedAt }: StoredDigest, changes: boolean): Date =>
  changes
    ? new Date((editedAt?.getTime() ?? 0) + EDIT_EVERY_MS)
    : new Date((editedAt ?? openedAt).getTime() + LIST_EVERY_MS);

const LISTED: SendResult = {
  kind: 'accepted',
  response: 'it is listed with others, because there are too many for a post each',
};
