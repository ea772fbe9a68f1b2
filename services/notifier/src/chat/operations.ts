import type { Clock } from '@tocsin/core';
import type { ChatProvider, WebhookSettings } from '@tocsin/events';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery, WebhookEvent } from '../messages/delivery.ts';
import { HELD_UP, type PostponedCall } from '../webhooks/operations.ts';
import type { ChatAbilities, ChatChannel, ChatResult, PostKeys, ShowingClient } from './chat-client.ts';
import type { MentionResponders } from './mention-operations.ts';
import type { ListInDigests } from './digest-operations.ts';
import { editOrRemove } from './edit-operations.ts';
import type { ButtonLinks } from '../channels/callbacks/links.ts';
import { buttonsFor, type ButtonSubject } from './button.ts';
import { type ChatPost, chatPost, chatReply, type ChatReply, DELETED_POST, digestLine } from './post.ts';
import type { ChatPosts, OwnPost, ShownEvent, StoredPost } from './store.ts';
import type { TrustedAccounts } from './trusted-accounts.ts';

/** A post has at most so many replies, so that all of them can be removed when the alert is deleted (C4). */
export const MAX_REPLIES = 200;

/** The minute for which new posts are counted. */
const COUNTED_MS = 60_000;

/** The events by which an alert of a digest gets a post of its own: a user acts. */
const OF_USERS: ReadonlySet<WebhookEvent['action']> = new Set([
  'Acknowledge',
  'Snooze',
  'AddNote',
  'AssignOwnership',
  'TakeOwnership',
  'CustomAction',
]);

export interface FollowAlertsPorts {
  readonly clients: Readonly<Record<ChatProvider, ShowingClient>>;
  readonly posts: Pick<
    ChatPosts,
    'countAfter' | 'find' | 'forget' | 'markDeleted' | 'put' | 'removeReference' | 'removeReply'
  >;
  readonly digests: Pick<ListInDigests, 'list'>;
  /** How many new posts a channel gets within a minute; further alerts are in a digest (C6). */
  readonly limit: number;
  /** The address of the installation for users. */
  readonly publicUrl: string | undefined;
  readonly buttons: Pick<ButtonLinks, 'sign'>;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn'>;
  readonly mentions: Pick<MentionResponders, 'of'>;
  readonly clock: Clock;
  /** Waits for so many milliseconds of real time. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/** One event for one channel. */
export interface ChannelEvent {
  readonly delivery: Pick<WebhookDelivery, 'deliveryId' | 'webhook'>;
  readonly settings: WebhookSettings;
  readonly channel: ChatChannel;
}

/** An event with the client of its product. */
interface BegunEvent extends ChannelEvent {
  /** Paces its calls, and calls nothing once this process has no lease of the queue. */
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
   * Shows one event in the channel. A repeat edits the post again and adds no second reply (C2). `isLeased`: whether this process has the
   * lease of the queue. It is asked right before each call, so that a process that was frozen shows nothing late.
   *
   * @throws errors of the store. A reason has no secrets.
   */
  async show(event: ChannelEvent, isLeased: () => boolean): Promise<SendResult | PostponedCall> {
    const { clients, pause } = this.#ports;
    const { client, over } = paced(clients[event.channel.chat.provider], isLeased, pause);
    const result = await this.#apply({ ...event, client });
    await over();
    return result;
  }

  async #apply(event: BegunEvent): Promise<SendResult | PostponedCall> {
    const { delivery } = event;
    const known = await this.#ports.posts.find(delivery.webhook);
    if (delivery.webhook.action === 'Delete') return this.#erase(event, known);
    if (known?.isDeleted === true) return accepted('the alert was deleted, so it is not shown');
    if (known === undefined && delivery.webhook.action === 'Update') return accepted('it has no post about it');
    if (hasPost(known)) return this.#follow(event, known);
    return (await this.#getsPost(event, known)) ? this.#post(event) : this.#list(event, known);
  }

  /** Whether an alert without a post gets one: not while there are many, and from a digest only when a user acts now. */
  async #getsPost({ client, delivery: { webhook } }: BegunEvent, known: StoredPost | undefined): Promise<boolean> {
    const { clock, posts } = this.#ports;
    // Half of what the pace allows is left to what happens to alerts, and the limit is reached.
    const limit = Math.min(this.#ports.limit, Math.floor(COUNTED_MS / 2 / client.abilities.paceMs));
    if (known !== undefined && (!OF_USERS.has(webhook.action) || webhook.version < known.version)) return false;
    const after = new Date(clock.now().getTime() - COUNTED_MS);
    return (await posts.countAfter(webhook.integrationId, after, limit)) < limit;
  }

  #list(event: BegunEvent, known: StoredPost | undefined): Promise<SendResult | PostponedCall> {
    return this.#line(event, digestLine(this.#postOf(event)), known);
  }

  #line({ channel, client, delivery }: BegunEvent, text: string, known: StoredPost | undefined) {
    const { clients, digests } = this.#ports;
    return digests.list({ delivery, channel, client, repair: clients[channel.chat.provider], text }, known);
  }

  /** Replies below an earlier post that is gone stay known. */
  async #post(event: BegunEvent): Promise<SendResult | PostponedCall> {
    const { channel, client } = event;
    const made = await client.post(channel, await this.#mentioning(event), keysOf(event));
    if (made.kind !== 'done') return failed(made);
    const { reference } = made;
    const result = await this.#put(event, { reference, version: 0 }, true);
    // Another process has posted meanwhile, or has erased the alert.
    if (result !== 'stored') await this.#repairOf(channel).remove(channel, reference);
    return accepted(POSTED);
  }

  async #follow(event: BegunEvent, known: OwnPost): Promise<SendResult | PostponedCall> {
    const { channel, client, delivery } = event;
    const { webhook } = delivery;
    const { reference, replies, version } = known;
    const { changes } = client.abilities;
    const isLate = webhook.version < version;
    const post = await this.#mentioning(event);
    if (changes && !isLate) {
      const edited = await editOrRemove(client, { channel, reference }, post);
      if (edited.kind === 'gone') return this.#post(event);
      if (edited.kind !== 'done') return failed(edited);
    }
    const isRepeat = delivery.deliveryId === known.deliveryId;
    const { thread } = channel.chat;
    const reply = isRepeat || replies.length >= MAX_REPLIES ? undefined : chatReply(webhook, { isLate, post, thread });
    if (reply !== undefined) return this.#reply(event, known, reply);
    await this.#putEdited(event, { reference, version });
    return accepted(changes ? 'the post was edited' : unedited(isRepeat));
  }

  async #reply(event: BegunEvent, { reference, version }: OwnPost, reply: ChatReply) {
    const { channel, client, delivery } = event;
    const { changes } = client.abilities;
    const replied = await client.reply(channel, reference, reply, keysOf(event));
    if (replied.kind === 'postponed' && (await this.#ports.posts.find(delivery.webhook))?.isDeleted === true)
      await this.#eraseAgain(event, { reference });
    if (replied.kind !== 'done') return failed(replied);
    // One that cannot be removed needs no id.
    await this.#putEdited(event, { reference, version, ...(changes && { reply: replied.reference.post }) });
    return accepted(changes ? 'the post was edited, and got a reply' : POSTED);
  }

  /** Stores an edit. */
  async #putEdited(event: BegunEvent, shown: Omit<ShownEvent, 'deliveryId'>): Promise<void> {
    if ((await this.#put(event, shown)) === 'deleted') await this.#eraseAgain(event, shown);
  }

  /** Another process has erased the alert, and this one, which was frozen, has brought words of it back. */
  async #eraseAgain({ channel }: BegunEvent, { reference, reply }: Pick<ShownEvent, 'reference' | 'reply'>) {
    const repair = this.#repairOf(channel);
    if (reply !== undefined) await repair.remove(channel, { ...reference, post: reply });
    await editOrRemove(repair, { channel, reference }, DELETED_POST);
  }

  /** Takes back what was shown after the lease had ended, so it needs none. */
  #repairOf({ chat }: ChatChannel): ShowingClient {
    return this.#ports.clients[chat.provider];
  }

  /** No word of the alert stays in the channel (A6). Goes on where an earlier try ended. */
  async #erase(event: BegunEvent, known: StoredPost | undefined): Promise<SendResult | PostponedCall> {
    const { clock, posts } = this.#ports;
    const { deliveryId, webhook } = event.delivery;
    await posts.markDeleted(webhook, deliveryId, { at: clock.now(), version: webhook.version });
    if (known === undefined) return accepted('it has no post about it');
    if (!event.client.abilities.changes) {
      await posts.forget(webhook);
      return accepted('its messages cannot be removed');
    }
    const fault = hasPost(known) ? await this.#erasePost(event, known) : undefined;
    if (fault !== undefined) return fault;
    const listed = known.line === undefined ? undefined : await this.#line(event, '', known);
    if (listed !== undefined && listed.kind !== 'accepted') return listed;
    await posts.forget(webhook);
    return accepted('what it had of the alert was erased');
  }

  /** Undefined once it is erased. */
  async #erasePost(
    { channel, client, delivery }: BegunEvent,
    { reference, replies }: OwnPost,
  ): Promise<SendResult | PostponedCall | undefined> {
    const { pause, posts } = this.#ports;
    for (const reply of replies) {
      const removed = await client.remove(channel, { ...reference, post: reply });
      if (!isOver(removed)) return failed(removed);
      await posts.removeReply(delivery.webhook, reply);
      await pause(client.abilities.paceMs);
    }
    const erased = await editOrRemove(client, { channel, reference }, DELETED_POST);
    if (!isOver(erased)) return failed(erased);
    await posts.removeReference(delivery.webhook);
    return undefined;
  }

  /** The post, with the mentions that its integration asks for. */
  async #mentioning(event: ChannelEvent): Promise<ChatPost> {
    const { webhook } = event.delivery;
    const mentions = await this.#ports.mentions.of(webhook.integrationId, event.channel, webhook.alert);
    return { ...this.#postOf(event), ...(mentions.length > 0 && { mentions }) };
  }

  #postOf({ channel, delivery: { webhook }, settings }: ChannelEvent) {
    const { accounts, buttons, publicUrl } = this.#ports;
    const { alert, alertId, integrationId } = webhook;
    const about = { alertId, integrationId, tinyId: alert.tinyId };
    const { provider } = channel.chat;
    if (!accounts.haveButtonsIn(channel)) return chatPost(webhook, settings, { publicUrl });
    if (provider === 'telegram')
      return chatPost(webhook, settings, { publicUrl, buttons: (state) => buttonsFor(state, () => UNSIGNED) });
    const signed = (action: ButtonSubject['action']) => buttons.sign(provider, { ...about, action });
    return chatPost(webhook, settings, { publicUrl, buttons: (state) => buttonsFor(state, signed) });
  }

  /** Written right after the calls, so that a repeat after the death of this process knows of them. */
  async #put({ delivery }: ChannelEvent, post: Omit<ShownEvent, 'deliveryId'>, isNew = false) {
    const { clock, posts } = this.#ports;
    const { deliveryId, webhook } = delivery;
    const version = Math.max(post.version, webhook.version);
    return posts.put(webhook, { ...post, deliveryId, version }, { at: clock.now(), isNew });
  }
}

/** A button of Telegram has its action alone: its alert is that of the message below which it is. */
const UNSIGNED = { token: '', url: '' };

const POSTED = 'it was posted';

const unedited = (isRepeat: boolean): string => (isRepeat ? POSTED : 'its integration asks for no message about it');

const hasPost = (known: StoredPost | undefined): known is OwnPost => known?.reference !== undefined;

const keysOf = ({ delivery: { deliveryId, webhook } }: ChannelEvent): PostKeys => ({
  message: deliveryId,
  thread: webhook.alertId,
});

/** A client of which the first call begins a pause, and the end of that pause (C3). Without the lease it calls nothing. */
function paced(client: ShowingClient, isLeased: () => boolean, pause: (ms: number) => Promise<unknown>) {
  const { abilities } = client;
  let begun: Promise<unknown> | undefined;
  const begin = (): ShowingClient => {
    if (!isLeased()) return heldUpClient(abilities);
    begun ??= pause(abilities.paceMs);
    return client;
  };
  const pacedClient: ShowingClient = {
    abilities,
    post: (...call) => begin().post(...call),
    edit: (...call) => begin().edit(...call),
    reply: (...call) => begin().reply(...call),
    remove: (...call) => begin().remove(...call),
  };
  return { client: pacedClient, over: () => begun };
}

const heldUp = (): Promise<PostponedCall> => Promise.resolve(HELD_UP);
const heldUpClient = (abilities: ChatAbilities): ShowingClient => ({
  abilities,
  post: heldUp,
  edit: heldUp,
  reply: heldUp,
  remove: heldUp,
});

const accepted = (response: string): SendResult => ({ kind: 'accepted', response });

type Unfinished = Exclude<ChatResult, { readonly kind: 'done' }>;

const isOver = (result: ChatResult): result is Extract<ChatResult, { readonly kind: 'done' | 'gone' }> =>
  result.kind === 'done' || result.kind === 'gone';

const failed = (result: Unfinished): SendResult | PostponedCall =>
  result.kind === 'gone' ? { kind: 'permanent', reason: 'the post is gone' } : result;
