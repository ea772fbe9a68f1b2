import type { OutgoingCaller, OutgoingOutcome } from '@tocsin/http';
import { z } from 'zod';
import {
  callMattermost,
  isPostGone,
  type MattermostBot,
  type MattermostCall,
  patchPost,
  refusedByMattermost,
} from '../../chat/mattermost/api.ts';
import { mattermostPage } from '../../chat/mattermost/render.ts';
import type { SendResult } from '../../messages/attempts.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, LEASE_LOST, type NotAccepted, unanswered } from '../http/outgoing.ts';
import type { Push } from './message.ts';
import type { PushedPages } from './pushed-page-store.ts';

/** What a user can do about a refusal of a private message. */
const MEANINGS: Readonly<Record<number, string>> = {
  403: 'the bot may not write to this user: where users may write to members of their teams alone, add it to a team of the user',
  404: 'the server has no such user',
};

/** As Mattermost writes ids. */
const ID = /^[a-z0-9]{26}$/;

/** An id that Mattermost has answered, or why there is none. */
type Found = { readonly id: string } | { readonly failure: NotAccepted };

/** Pushes to users of a server of Mattermost, as private messages of the bot of the installation (U13). */
export class MattermostPush implements Provider<Push> {
  readonly name = 'mattermost';
  readonly #bot: MattermostBot;
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  readonly #pages: Pick<PushedPages, 'newest'>;
  /** The id of the bot, once it is known. */
  #botId: string | undefined;

  constructor(bot: MattermostBot, outgoing: Pick<OutgoingCaller, 'call'>, pages: Pick<PushedPages, 'newest'>) {
    this.#bot = bot;
    this.#outgoing = outgoing;
    this.#pages = pages;
  }

  takes({ service }: Push): boolean {
    return service?.name === 'mattermost';
  }

  async send(push: Push, attempt?: AttemptReference): Promise<SendResult> {
    const content = mattermostPage(push.title, push.text, push.acknowledgeUrl);
    const edited = await this.#edit(push, content);
    if (edited !== undefined) return edited;
    const channel = await this.#channelWith(push.service?.key ?? '');
    if ('failure' in channel) return channel.failure;
    if (attempt?.isLeased?.() === false) return LEASE_LOST;
    const body = { channel_id: channel.id, ...content };
    return this.#result(await this.#call({ method: 'POST', path: 'posts', body }));
  }

  /** A status update replaces the page that it makes out of date. Undefined where there is no page to replace. */
  async #edit(push: Push, content: object): Promise<SendResult | undefined> {
    const page = push.outdates && (await this.#pages.newest({ ...push.outdates, to: push.topic }));
    if (page === undefined || !ID.test(page.response)) return undefined;
    const outcome = await this.#call(patchPost(page.response, content));
    return outcome.kind === 'answered' && isPostGone(outcome) ? undefined : this.#result(outcome);
  }

  /** The channel of private messages with a user, which is made where there is none. */
  async #channelWith(account: string): Promise<Found> {
    const bot = this.#botId === undefined ? await this.#find({ method: 'GET', path: 'users/me' }) : { id: this.#botId };
    if ('failure' in bot) return bot;
    this.#botId = bot.id;
    return this.#find({ method: 'POST', path: 'channels/direct', body: [bot.id, account] });
  }

  /** Where the answer is not known, nothing was sent to the user yet, so the message is tried again. */
  async #find(call: MattermostCall): Promise<Found> {
    const result = this.#result(await this.#call(call));
    if (result.kind === 'accepted' && ID.test(result.response)) return { id: result.response };
    if (result.kind === 'permanent' || result.kind === 'temporary') return { failure: result };
    return {
      failure: { kind: 'temporary', reason: result.kind === 'unknown' ? result.reason : 'its answer cannot be read' },
    };
  }

  #result(outcome: OutgoingOutcome): SendResult {
    if (outcome.kind !== 'answered') return unanswered(outcome);
    if (outcome.status !== 200 && outcome.status !== 201) return refusedByMattermost(outcome, this.#bot, MEANINGS);
    const { id } = fieldsOf(outcome);
    if (typeof id === 'string' && ID.test(id)) return { kind: 'accepted', response: id };
    if (outcome.isTruncated) return acceptedCutOff(outcome);
    return { kind: 'unknown', reason: 'its answer cannot be read' };
  }

  #call(call: MattermostCall): Promise<OutgoingOutcome> {
    return callMattermost(this.#outgoing, this.#bot, call);
  }
}

export const MATTERMOST_SETTINGS = {
  /** The root of a server of Mattermost. Unset: nothing is sent to users of Mattermost. */
  MATTERMOST_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://chat.example.com' }).optional(),
  /** The access token of the bot of this installation. */
  MATTERMOST_BOT_TOKEN: z
    .string()
    .regex(/^[\w-]{10,100}$/, 'should be the access token of a bot of Mattermost')
    .optional(),
} as const;
