import type { Clock } from '@tocsin/core';
import type { ChatProvider, WebhookAction, WebhookSettings } from '@tocsin/events';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import type { ChatChannel, ShowingClient, ChatResult } from './chat-client.ts';
import type { ListInDigests, Postponed } from './digest-operations.ts';
import type { ButtonLinks } from '../channels/callbacks/links.ts';
import { buttonsFor, type ButtonSubject } from './button.ts';
import { chatPost, chatReply, DELETED_POST, digestLine } from './post.ts';
import type { ChatPosts, OwnPost, StoredPost } from './store.ts';
import type { TrustedAccounts } from './trusted-accounts.ts';

/** A post has at most so many replies, so that all of them can be removed when the alert is deleted (C4). */
export const MAX_REPLIES = 200;

/**
 * The time from one event to the next in a channel. An event makes an edit and a reply at most: Slack takes a post a second in a channel and
 * 50 edits a minute, Mattermost ten requests a second where an operator limits it, Telegram 20 messages a minute in a group.
 */
const PACE_MS: Readonly<Record<ChatProvider, number>> = { slack: 1_200, mattermost: 200, telegram: 6_000 };

/** The minute for which new posts are counted. */
const COUNTED_MS = 60_000;

/** The events by which an alert of a digest gets a post of its own: a user acts. */
const OF_USERS: ReadonlySet<WebhookAction> = new Set([
  'Acknowledge',
  'Snooze',
  'AddNote',
  'AssignOwnership',
  'TakeOwnership',
  'CustomAction',
]);

export interface FollowAlertsPorts {
  readonly clients: Readonly<Record<ChatProvider, ShowingClient>>;
  readonly posts: Pick<ChatPosts, 'countAfter' | 'find' | 'put' | 'remove' | 'removeReference' | 'removeReply'>;
  readonly digests: Pick<ListInDigests, 'list'>;
  /** How many new posts a channel gets within a minute; further alerts are in a digest (C6). */
  readonly limit: number;
  /** The address of the installation for users. */
  readonly publicUrl: string | undefined;
  /** Signs buttons; undefined where products cannot reach the installation. */
  readonly buttons: Pick<ButtonLinks, 'sign'> | undefined;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn'>;
  readonly clock: Clock;
  /** Waits for so many milliseconds of real time. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/** One event for one channel. */
interface ChannelEvent {
  readonly delivery: Pick<WebhookDelivery, 'deliveryId' | 'webhook'>;
  readonly settings: WebhookSettings;
  readonly channel: ChatChannel;
  readonly client: ShowingClient;
}

/**
 * Keeps the post about an alert in a channel as the alert is, with replies below it (C1). All events of an integration come one after the
 * other, because they wait in one queue.
 */
export class FollowAlerts {
  readonly #ports: FollowAlertsPorts;

  constructor(ports: FollowAlertsPorts) {
    this.#ports = ports;
  }

  /**
   * Shows one event in the channel. A repeat edits the post again and adds no second reply (C2).
   *
   * @throws errors of the store. A reason has no secrets.
   */
  async show(
    delivery: ChannelEvent['delivery'],
    settings: WebhookSettings,
    channel: ChatChannel,
  ): Promise<SendResult | Postponed> {
    const { clients, pause } = this.#ports;
    const { provider } = channel.chat;
    const { client, over } = paced(clients[provider], () => pause(PACE_MS[provider]));
    const result = await this.#apply({ delivery, settings, channel, client });
    await over();
    return result;
  }

  async #apply(event: ChannelEvent): Promise<SendResult | Postponed> {
    const { delivery } = event;
    const known = await this.#ports.posts.find(delivery.webhook);
    if (delivery.webhook.action === 'Delete') return this.#erase(event, known);
    if (hasPost(known)) return this.#follow(event, known);
    return (await this.#getsPost(event, known)) ? this.#post(event, known?.replies) : this.#list(event, known);
  }

  /** Whether an alert without a post gets one: not while there are many, and from a digest only when a user acts. */
  async #getsPost({ channel, delivery: { webhook } }: ChannelEvent, known: StoredPost | undefined): Promise<boolean> {
    const { clock, posts } = this.#ports;
    // Half of what the pace allows is left to what happens to alerts, and the limit is reached.
    const limit = Math.min(this.#ports.limit, Math.floor(COUNTED_MS / 2 / PACE_MS[channel.chat.provider]));
    if (known !== undefined && !OF_USERS.has(webhook.action)) return false;
    const after = new Date(clock.now().getTime() - COUNTED_MS);
    return (await posts.countAfter(webhook.integrationId, after, limit)) < limit;
  }

  #list(event: ChannelEvent, known: StoredPost | undefined): Promise<SendResult | Postponed> {
    const { channel, client, delivery } = event;
    return this.#ports.digests.list({ delivery, channel, client, text: digestLine(this.#postOf(event)) }, known);
  }

  /** `replies` are those below an earlier post that is gone. */
  async #post(event: ChannelEvent, replies: readonly string[] = []): Promise<SendResult> {
    const { channel, client } = event;
    const made = await client.post(channel, this.#postOf(event));
    if (made.kind !== 'done') return failed(made);
    await this.#put(event, { reference: made.reference, replies, version: 0 }, true);
    return accepted('it was posted');
  }

  async #follow(event: ChannelEvent, known: OwnPost): Promise<SendResult> {
    const { channel, client, delivery } = event;
    const { deliveryId, webhook } = delivery;
    const { reference, replies, version } = known;
    if (webhook.version >= version) {
      const edited = await client.edit(channel, reference, this.#postOf(event));
      if (edited.kind === 'gone') {
        // It may be too old to edit: then a deletion of the alert could not find it any more.
        await client.remove(channel, reference);
        return this.#post(event, replies);
      }
      if (edited.kind !== 'done') return failed(edited);
    }
    const reply = deliveryId === known.deliveryId ? undefined : chatReply(webhook, channel.chat.thread);
    if (reply === undefined || replies.length >= MAX_REPLIES) {
      await this.#put(event, { reference, replies, version });
      return accepted('the post was edited');
    }
    const replied = await client.reply(channel, reference, reply);
    if (replied.kind !== 'done') return failed(replied);
    await this.#put(event, { reference, version, replies: [...replies, replied.reference.post] });
    return accepted('the post was edited, and got a reply');
  }

  /** No word of the alert stays in the channel (A6). Goes on where an earlier try ended. */
  async #erase(event: ChannelEvent, known: StoredPost | undefined): Promise<SendResult | Postponed> {
    const { digests, posts } = this.#ports;
    const { channel, client, delivery } = event;
    if (known === undefined) return accepted('it has no post about it');
    const fault = hasPost(known) ? await this.#erasePost(event, known) : undefined;
    if (fault !== undefined) return fault;
    const listed =
      known.line === undefined ? undefined : await digests.list({ delivery, channel, client, text: '' }, known);
    if (listed !== undefined && listed.kind !== 'accepted') return listed;
    await posts.remove(delivery.webhook);
    return accepted('what it had of the alert was erased');
  }

  /** Undefined once it is erased. */
  async #erasePost(
    { channel, client, delivery }: ChannelEvent,
    { reference, replies }: OwnPost,
  ): Promise<SendResult | undefined> {
    const { pause, posts } = this.#ports;
    for (const reply of replies) {
      const removed = await client.remove(channel, { ...reference, post: reply });
      if (!isOver(removed)) return failed(removed);
      await posts.removeReply(delivery.webhook, reply);
      await pause(PACE_MS[channel.chat.provider]);
    }
    const edited = await client.edit(channel, reference, DELETED_POST);
    // It may be too old to edit.
    const erased = edited.kind === 'gone' ? await client.remove(channel, reference) : edited;
    if (!isOver(erased)) return failed(erased);
    await posts.removeReference(delivery.webhook);
    return undefined;
  }

  #postOf({ channel, delivery: { webhook }, settings }: ChannelEvent) {
    const { accounts, buttons, publicUrl } = this.#ports;
    const { alert, alertId, integrationId } = webhook;
    const about = { alertId, integrationId, tinyId: alert.tinyId };
    const { provider } = channel.chat;
    if (buttons === undefined || !accounts.haveButtonsIn(channel)) return chatPost(webhook, settings, { publicUrl });
    const signed = (action: ButtonSubject['action']) => buttons.sign(provider, { ...about, action });
    return chatPost(webhook, settings, { publicUrl, buttons: (state) => buttonsFor(state, signed) });
  }

  /** Written right after the calls, so that a repeat after the death of this process knows of them. */
  async #put({ delivery }: ChannelEvent, post: Omit<OwnPost, 'deliveryId'>, isNew = false): Promise<void> {
    const { clock, posts } = this.#ports;
    const { deliveryId, webhook } = delivery;
    const version = Math.max(post.version, webhook.version);
    await posts.put(webhook, { ...post, deliveryId, version }, { at: clock.now(), isNew });
  }
}

const hasPost = (known: StoredPost | undefined): known is OwnPost => known?.reference !== undefined;

/** A client of which the first call begins a pause, and the end of that pause (C3). */
function paced(client: ShowingClient, pause: () => Promise<unknown>) {
  let begun: Promise<unknown> | undefined;
  const begin = (): ShowingClient => {
    begun ??= pause();
    return client;
  };
  const pacedClient: ShowingClient = {
    post: (...call) => begin().post(...call),
    edit: (...call) => begin().edit(...call),
    reply: (...call) => begin().reply(...call),
    remove: (...call) => begin().remove(...call),
  };
  return { client: pacedClient, over: () => begun };
}

const accepted = (response: string): SendResult => ({ kind: 'accepted', response });

type Unfinished = Exclude<ChatResult, { readonly kind: 'done' }>;

const isOver = (result: ChatResult): result is Extract<ChatResult, { readonly kind: 'done' | 'gone' }> =>
  result.kind === 'done' || result.kind === 'gone';

const failed = (result: Unfinished): SendResult =>
  result.kind === 'gone' ? { kind: 'permanent', reason: 'the post is gone' } : result;
