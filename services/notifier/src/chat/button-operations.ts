import { type Clock, ForbiddenError, NotFoundError } from '@tocsin/core';
import type { ButtonProvider, IntegrationState, WebhookSettings } from '@tocsin/events';
import { Admission } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { answerText, type PointlessAnswer } from '../answers/answer.ts';
import type { Alerts, KnownAlert } from '../answers/client.ts';
import type { AnswerAlerts } from '../answers/operations.ts';
import type { CallbackAnswer } from '../channels/callback-provider.ts';
import { type ButtonLinks, digestOf } from '../channels/callbacks/links.ts';
import type { CallbackOutcome } from '../channels/operations.ts';
import type { WebhookSettingsClient } from '../webhooks/settings-client.ts';
import type { AccountUsers, ActingChannel } from './account-operations.ts';
import { type ButtonPress, type ButtonSubject, pressIn, type Report, slackPressIn } from './button.ts';
import type { ChatClient } from './chat-client.ts';
import { isFresh, isSignedBySlack } from './slack/signature.ts';
import { isOfApp, type SlackSocketApp } from './slack-sockets/app.ts';
import { answerPlace, type TrustedAccounts } from './trusted-accounts.ts';

/** Answers that are sent at a time: a button may be pressed often. */
const ANSWERS = { inAll: 20, each: 2 };

/** A report of a product of chat. */
export interface ChatReport {
  readonly provider: ButtonProvider;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws TooLargeError */
  readonly readBody: () => Promise<Buffer>;
}

export interface TakeButtonsPorts {
  readonly links: Pick<ButtonLinks, 'read'>;
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly clients: Readonly<Record<ButtonProvider, Pick<ChatClient, 'answer'>>>;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn'>;
  readonly accountUsers: Pick<AccountUsers, 'actorOf'>;
  readonly alerts: Alerts;
  readonly answers: Pick<AnswerAlerts, 'order' | 'whyWithoutEffect'>;
  readonly clock: Clock;
  /** Called with the result of each report. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
}

interface Result {
  readonly outcome: CallbackOutcome;
  /** For the user who pressed alone. */
  readonly says?: string;
  /** Where that is sent; absent where it is the answer to the report. */
  readonly answerAt?: string | undefined;
}

/** A verified button, and the channel in which it was pressed. */
interface PressedButton {
  readonly subject: ButtonSubject;
  readonly channel: ActingChannel;
  /** Undefined where it is not known yet. */
  readonly integration: IntegrationState | undefined;
}

/** Takes presses of buttons below posts: each acts as the user whose mail address its account has, if the operator trusts the product with that (C7). */
export class TakeButtons {
  readonly #ports: TakeButtonsPorts;
  readonly #answers = new Admission(ANSWERS);

  constructor(ports: TakeButtonsPorts) {
    this.#ports = ports;
  }

  /**
   * Once this resolves after a press that has an effect, the command survives any crash. Resolves with the answer to the product, if there is one.
   *
   * @throws ForbiddenError where the report is not signed as it should be, NotFoundError where the button has expired,
   *   UnavailableError where settings or users cannot be read, and errors of the stores.
   */
  async take(report: ChatReport): Promise<CallbackAnswer | undefined> {
    const { outcome, answerAt, says } = await this.#reported(report);
    this.#ports.onCallback(outcome);
    if (outcome === 'refused') throw new ForbiddenError('The call is not signed as it should be.');
    if (outcome === 'expired') throw new NotFoundError('The button has expired.');
    if (says === undefined) return undefined;
    if (report.provider === 'mattermost')
      return { type: 'application/json', content: JSON.stringify({ ephemeral_text: says }) };
    // Slack waits for 3 s at most. The user sees the change of the post in any case.
    if (answerAt !== undefined) void this.#answer(report.provider, answerAt, says);
    return undefined;
  }

  /**
   * Takes a press that came by the connection of an app of Slack, to which Slack alone reports. Once this resolves, the effect of the press
   * survives any crash.
   *
   * @throws UnavailableError and errors of the stores, as {@link take}.
   */
  async takeFromSocket(payload: Report, app: SlackSocketApp): Promise<void> {
    const press = slackPressIn(payload);
    const { outcome, says } =
      press === undefined ? REFUSED : await this.#pressed('slack', press, (channel) => isOfApp(channel, app));
    this.#ports.onCallback(outcome);
    const text = outcome === 'expired' ? EXPIRED : says;
    const answerAt = answerPlace(press?.answerAt, app);
    if (text !== undefined && answerAt !== undefined) void this.#answer('slack', answerAt, text);
  }

  async #reported(report: ChatReport): Promise<Result> {
    const { provider } = report;
    if (provider === 'slack' && !isFresh(report.headers, this.#ports.clock.now())) return REFUSED;
    const body = await report.readBody();
    const press = pressIn(provider, body.toString());
    return press === undefined
      ? REFUSED
      : this.#pressed(provider, press, (channel) => isGenuine(report, body, channel));
  }

  /** `isProven`: whether the product has reported the press, in this channel. */
  async #pressed(
    provider: ButtonProvider,
    press: ButtonPress,
    isProven: (channel: ActingChannel) => boolean,
  ): Promise<Result> {
    const { integrations, links, settings: client } = this.#ports;
    const subject = links.read(provider, press.token);
    if (subject === 'forged') return REFUSED;
    if (subject === 'expired') return { outcome: 'expired' };
    const channel = this.#channelOf(await client.of(subject.integrationId), provider);
    if (channel === undefined || !isProven(channel)) return REFUSED;
    const integration = integrations.get(subject.integrationId);
    return {
      ...(await this.#act(press, { subject, channel, integration })),
      answerAt: answerPlace(press.answerAt, channel),
    };
  }

  /** The channel of an integration whose posts have buttons. */
  #channelOf(settings: WebhookSettings | undefined, provider: ButtonProvider): ActingChannel | undefined {
    const channel = settings?.isOn === true ? channelOf(settings, provider) : undefined;
    return channel !== undefined && this.#ports.accounts.haveButtonsIn(channel) ? channel : undefined;
  }

  async #act({ token, userId }: ButtonPress, { channel, integration, subject }: PressedButton): Promise<Result> {
    const { alerts, answers } = this.#ports;
    const { action, alertId, tinyId } = subject;
    const { provider } = channel.chat;
    const button = { alertId, page: digestOf(token) };
    const says = (done: PointlessAnswer | 'taken') =>
      done === 'repeated'
        ? `Alert #${tinyId}: this button was pressed already.`
        : answerText(`Alert #${tinyId}`, action, done);
    const alert = await alerts.find(alertId);
    const barred = whyBarred(integration, alert);
    if (barred !== undefined) return { outcome: 'unusable', says: `Alert #${tinyId}: ${barred}` };
    const pointless = await answers.whyWithoutEffect(button, action, alert);
    if (pointless !== undefined) return { outcome: OUTCOMES[pointless], says: says(pointless) };
    const actor = await this.#ports.accountUsers.actorOf(subject.integrationId, channel, userId);
    if (typeof actor === 'string') return { outcome: 'unusable', says: actor };
    const of = integration && { integration: { id: integration.id, name: integration.name } };
    const answer = { by: 'button', method: provider, ...of } as const;
    const done = await answers.order(button, { action }, { actor, answer });
    return { outcome: OUTCOMES[done], says: says(done) };
  }

  /** Where too many answers are under way, the user sees the change of the post alone. */
  async #answer(provider: ButtonProvider, url: string, says: string): Promise<void> {
    const { host } = new URL(url);
    if (this.#answers.tryAcquire(host) !== 'granted') return;
    try {
      await this.#ports.clients[provider].answer(url, [says]);
    } finally {
      this.#answers.release(host);
    }
  }
}

const REFUSED: Result = { outcome: 'refused' };
const EXPIRED = 'Nothing was changed: this button has expired.';

/** Slack signs its reports; those of Mattermost have a token that only the server knows. */
const isGenuine = ({ headers, provider }: ChatReport, body: Buffer, { chat }: ActingChannel): boolean =>
  provider === 'mattermost' || isSignedBySlack(headers, body, chat.signingSecret);

/** Why a button of an integration of a team does nothing: its team may not see the alert (any more), or that is not known. */
export function whyBarred(
  integration: IntegrationState | undefined,
  alert: KnownAlert | 'gone' | undefined,
): string | undefined {
  if (alert === 'gone') return undefined;
  if (integration === undefined) return UNKNOWN_TEAMS;
  const { ownerTeamId } = integration;
  if (ownerTeamId === undefined) return undefined;
  if (alert === undefined) return UNKNOWN_TEAMS;
  return alert.teamIds.includes(ownerTeamId) ? undefined : OF_OTHERS;
}

const UNKNOWN_TEAMS = 'nothing was changed, its teams cannot be looked up now. Please press again.';
const OF_OTHERS = 'nothing was changed, it is no longer an alert of the team of this channel.';

export const OUTCOMES = {
  taken: 'acted',
  repeated: 'repeated',
  acknowledged: 'pointless',
  closed: 'pointless',
  deleted: 'pointless',
} as const satisfies Record<string, CallbackOutcome>;

/** The channel of an integration of a product. */
export function channelOf(settings: WebhookSettings | undefined, provider: ButtonProvider): ActingChannel | undefined {
  if (settings?.chat?.provider !== provider) return undefined;
  return { url: settings.url, chat: { ...settings.chat, provider } };
}
