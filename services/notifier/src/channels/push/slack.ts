import type { OutgoingCaller, OutgoingOutcome } from '@tocsin/http';
import { z } from 'zod';
import { slackPage } from '../../chat/slack/render.ts';
import { callSlack, messageIn, refusedBySlack, type SlackApp } from '../../chat/slack/web-api.ts';
import type { SendResult } from '../../messages/attempts.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { acceptedCutOff, LEASE_LOST, unanswered } from '../http/outgoing.ts';
import type { Push } from './message.ts';
import type { PushedPages } from './pushed-page-store.ts';

/** What a user can do about an error of a private message. */
const MEANINGS: Readonly<Record<string, string>> = {
  channel_not_found: 'the workspace has no such member',
  user_not_found: 'the workspace has no such member',
  cannot_dm_bot: 'the member is a bot',
  user_disabled: 'the member was deactivated',
  messages_tab_disabled: 'switch on the Messages Tab in the App Home of the app',
  missing_scope: 'the app needs the scopes chat:write and im:write',
};

/**
 * The id of the channel of a private message, and the time of the message there. As one word, because ten digits alone are taken for a
 * phone number, which no result contains.
 */
const RESPONSE = /^([A-Z0-9]{1,30})_(\d{1,20}\.\d{1,10})$/;

/** Pushes to members of a workspace of Slack, as private messages of the app of the installation (U13). */
export class SlackPush implements Provider<Push> {
  readonly name = 'slack';
  readonly #app: SlackApp;
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  readonly #pages: Pick<PushedPages, 'newest'>;

  constructor(app: SlackApp, outgoing: Pick<OutgoingCaller, 'call'>, pages: Pick<PushedPages, 'newest'>) {
    this.#app = app;
    this.#outgoing = outgoing;
    this.#pages = pages;
  }

  takes({ service }: Push): boolean {
    return service?.name === 'slack';
  }

  async send(push: Push, attempt?: AttemptReference): Promise<SendResult> {
    const content = slackPage(push.title, push.text, push.acknowledgeUrl);
    const edited = await this.#edit(push, content);
    if (edited !== undefined) return edited;
    if (attempt?.isLeased?.() === false) return LEASE_LOST;
    return this.#result(await this.#call('chat.postMessage', { channel: push.service?.key, ...content }));
  }

  /** A status update replaces the page that it makes out of date. Undefined where there is no page to replace. */
  async #edit(push: Push, content: object): Promise<SendResult | undefined> {
    const page = push.outdates && (await this.#pages.newest({ ...push.outdates, to: push.topic }));
    const [, channel, ts] = RESPONSE.exec(page?.response ?? '') ?? [];
    if (channel === undefined) return undefined;
    const outcome = await this.#call('chat.update', { channel, ts, ...content });
    const result = this.#result(outcome);
    // Such as where the message is gone, or is one of an app that was replaced.
    return result.kind === 'permanent' ? undefined : result;
  }

  #call(method: string, fields: Readonly<Record<string, unknown>>): Promise<OutgoingOutcome> {
    return callSlack(this.#outgoing, this.#app, method, fields);
  }

  #result(outcome: OutgoingOutcome): SendResult {
    if (outcome.kind !== 'answered') return unanswered(outcome);
    const message = messageIn(outcome);
    if (message !== undefined) return { kind: 'accepted', response: `${message.channel}_${message.ts}` };
    if (outcome.status === 200 && outcome.isTruncated) return acceptedCutOff(outcome);
    const refused = refusedBySlack(outcome, this.#app, MEANINGS);
    // Slack takes a message a second in a channel: what it asks of one member holds up no other.
    return outcome.status === 429 && refused.kind === 'temporary' && refused.retryAfterMs !== undefined
      ? { ...refused, isLimitOfRecipient: true }
      : refused;
  }
}

export const SLACK_SETTINGS = {
  /** The Web API of Slack, https://slack.com/api. Unset: nothing is sent to members of Slack. */
  SLACK_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://slack.com/api' }).optional(),
  /** The token of the bot of the app of this installation. */
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[\w-]{10,300}$/, 'should be the token of a bot of Slack, which begins with xoxb-')
    .optional(),
} as const;
