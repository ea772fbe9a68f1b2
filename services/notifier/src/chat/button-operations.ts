import { createHmac } from 'node:crypto';
import { type Clock, ForbiddenError, NotFoundError } from '@tocsin/core';
import type { ButtonProvider, IntegrationState, UserState, WebhookSettings } from '@tocsin/events';
import { Admission, isEqualInConstantTime } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { answerText, type PointlessAnswer } from '../answers/answer.ts';
import type { Alerts, KnownAlert } from '../answers/client.ts';
import type { AnswerAlerts } from '../answers/operations.ts';
import type { CallbackAnswer } from '../channels/callback-provider.ts';
import { type ButtonLinks, digestOf } from '../channels/callbacks/links.ts';
import type { CallbackOutcome } from '../channels/operations.ts';
import type { UserReplica } from '../messages/user-client.ts';
import type { WebhookSettingsClient } from '../webhooks/settings-client.ts';
import { type ButtonPress, type ButtonSubject, pressIn } from './button.ts';
import type { ChatChannel, ChatClient } from './chat-client.ts';
import type { TrustedAccounts } from './trusted-accounts.ts';

/** How old a report of Slack may be. */
const MAX_AGE_SECONDS = 300;

/** Calls of products for presses at a time: a button may be pressed often. */
const CALLS = { inAll: 20, each: 2 };

/** The roles that may change no alert (K11). */
const READERS: ReadonlySet<string> = new Set(['observer', 'stakeholder']);

/** Whether the role of a user may change alerts. */
export const mayAct = ({ role }: Pick<UserState, 'role'>): boolean => !READERS.has(role.toLowerCase());

/** As for a login by a provider: lower case changes no other sign into one of these. */
const PLAIN_ADDRESS = /^[!-~]{1,100}$/;

/** Where Slack takes answers to reports. */
const SLACK_HOOKS = /^https:\/\/hooks\.slack(?:-gov)?\.com\//;

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
  readonly clients: Readonly<Record<ButtonProvider, Pick<ChatClient, 'accountOf' | 'answer'>>>;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn' | 'include'>;
  readonly users: Pick<UserReplica, 'fetch'>;
  readonly alerts: Alerts;
  readonly answers: Pick<AnswerAlerts, 'order' | 'whyWithoutEffect'>;
  readonly clock: Clock;
  /** Called with the result of each report. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
}

interface ButtonChannel extends ChatChannel {
  readonly chat: ChatChannel['chat'] & { readonly provider: ButtonProvider };
}

interface Result {
  readonly outcome: CallbackOutcome;
  /** For the user who pressed alone. */
  readonly says?: string;
  /** Where that is sent; absent where it is the answer to the report. */
  readonly answerAt?: string;
}

/** A verified button, and the channel in which it was pressed. */
interface PressedButton {
  readonly subject: ButtonSubject;
  readonly channel: ButtonChannel;
  /** Undefined where it is not known yet. */
  readonly integration: IntegrationState | undefined;
}

/** Takes presses of buttons below posts: each acts as the user whose mail address its account has, if the operator trusts the product with that (C7). */
export class TakeButtons {
  readonly #ports: TakeButtonsPorts;
  /** By integration. */
  readonly #lookUps = new Admission(CALLS);
  readonly #answers = new Admission(CALLS);

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
    const { outcome, answerAt, says } = await this.#result(report);
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

  async #result(report: ChatReport): Promise<Result> {
    const { links, settings: client } = this.#ports;
    const { provider } = report;
    if (provider === 'slack' && !this.#isFresh(report)) return { outcome: 'refused' };
    const body = await report.readBody();
    const press = pressIn(provider, body.toString());
    if (press === undefined) return { outcome: 'refused' };
    const subject = links.read(provider, press.token);
    if (subject === 'forged') return { outcome: 'refused' };
    if (subject === 'expired') return { outcome: 'expired' };
    const settings = await client.of(subject.integrationId);
    const channel = channelOf(settings, provider);
    if (channel === undefined || !this.#ports.accounts.haveButtonsIn(channel)) return { outcome: 'refused' };
    const integration = this.#ports.integrations.get(subject.integrationId);
    if (!isGenuine(report, body, channel)) return { outcome: 'refused' };
    return { ...(await this.#act(press, { subject, channel, integration })), ...answerPlace(press, channel) };
  }

  /** Whether a report of Slack has a signature, and is not older than Slack's reports may be. */
  #isFresh({ headers }: Pick<ChatReport, 'headers'>): boolean {
    const { 'x-slack-request-timestamp': at = '', 'x-slack-signature': signature = '' } = headers;
    const ageSeconds = Math.abs(this.#ports.clock.now().getTime() / 1_000 - Number(at));
    return /^\d{1,12}$/.test(at) && /^v0=[0-9a-f]{64}$/.test(signature) && ageSeconds <= MAX_AGE_SECONDS;
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
    const user = await this.#userOf(userId, subject, channel);
    if (typeof user === 'string') return { outcome: 'unusable', says: user };
    const of = integration && { integration: { id: integration.id, name: integration.name } };
    const answer = { by: 'button', method: provider, ...of } as const;
    const done = await answers.order(button, action, { user, answer });
    return { outcome: OUTCOMES[done], says: says(done) };
  }

  /** The user who pressed, or why there is none. */
  async #userOf(userId: string, { integrationId }: ButtonSubject, channel: ButtonChannel): Promise<UserState | string> {
    const { accounts, clients, users } = this.#ports;
    if (this.#lookUps.tryAcquire(integrationId) !== 'granted') return TOO_MANY;
    try {
      const found = await clients[channel.chat.provider].accountOf(channel, userId);
      if (found.kind === 'unknown') return `Nothing was changed: your account cannot be looked up, ${found.reason}.`;
      if (!accounts.include(channel, found) || !PLAIN_ADDRESS.test(found.mail)) return NO_USER;
      const user = await users.fetch('username', found.mail.toLowerCase());
      if (user === undefined || user.blocked) return NO_USER;
      return mayAct(user) ? user : MAY_NOT;
    } finally {
      this.#lookUps.release(integrationId);
    }
  }

  /** Where too many answers are under way, the user sees the change of the post alone. */
  async #answer(provider: ButtonProvider, url: string, says: string): Promise<void> {
    const { host } = new URL(url);
    if (this.#answers.tryAcquire(host) !== 'granted') return;
    try {
      await this.#ports.clients[provider].answer(url, says);
    } finally {
      this.#answers.release(host);
    }
  }
}

/** Slack signs its reports; those of Mattermost have a token that only the server knows. */
function isGenuine({ headers, provider }: ChatReport, body: Buffer, { chat }: ChatChannel): boolean {
  if (provider === 'mattermost') return true;
  const { 'x-slack-request-timestamp': at = '', 'x-slack-signature': given = '' } = headers;
  if (chat.signingSecret === undefined) return false;
  const expected = createHmac('sha256', chat.signingSecret).update(`v0:${at}:`).update(body).digest('hex');
  return isEqualInConstantTime(Buffer.from(given), Buffer.from(`v0=${expected}`));
}

/** Only Slack itself, or the server of the integration, is sent an answer. */
function answerPlace({ answerAt = '' }: ButtonPress, { url }: ChatChannel): Pick<Result, 'answerAt'> {
  const isKnown = SLACK_HOOKS.test(answerAt) || URL.parse(answerAt)?.origin === URL.parse(url)?.origin;
  return isKnown ? { answerAt } : {};
}

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
const NO_USER = 'Nothing was changed: no user of Tocsin has the mail address of your account as their user name.';
export const MAY_NOT = 'Nothing was changed: your role may not change alerts.';
const TOO_MANY = 'Nothing was changed: too many buttons are pressed now. Please press again.';

export const OUTCOMES = {
  taken: 'acted',
  repeated: 'repeated',
  acknowledged: 'pointless',
  closed: 'pointless',
  deleted: 'pointless',
} as const satisfies Record<string, CallbackOutcome>;

function channelOf(settings: WebhookSettings | undefined, provider: ButtonProvider): ButtonChannel | undefined {
  if (settings?.isOn !== true || settings.chat?.provider !== provider) return undefined;
  return { url: settings.url, chat: { ...settings.chat, provider } };
}
