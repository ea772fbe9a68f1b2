import type { Clock } from '@tocsin/core';
import { deviceAddress, type IntegrationState, type RoleState, type UserState } from '@tocsin/events';
import { personRole } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { type AlertAct, type AnswerAction, answerText } from '../answers/answer.ts';
import type { Alerts } from '../answers/client.ts';
import type { AnswerAlerts } from '../answers/operations.ts';
import { digestOf } from '../channels/callbacks/links.ts';
import type { CallbackOutcome } from '../channels/operations.ts';
import { MAY_NOT, mayChange } from '../chat/account-operations.ts';
import { OUTCOMES, whyBarred } from '../chat/button-operations.ts';
import type { TrustedAccounts } from '../chat/trusted-accounts.ts';
import type { UserReplica } from '../messages/user-client.ts';
import type { WebhookSettingsClient } from '../webhooks/settings-client.ts';
import type { Update } from './update.ts';

/** A press of a button below a message of the bot. */
export type Press = Extract<Update, { readonly kind: 'press' }>;

/** What came of a press, for the presser alone. */
export interface PressAnswer {
  readonly outcome: CallbackOutcome;
  /** At most 200 characters. */
  readonly says: string;
  /** The buttons that a page keeps; absent where they stay. */
  readonly left?: readonly AnswerAction[];
}

export interface TakePressesPorts {
  /** Finds the page that is a message in the chat of an account. */
  readonly pages: { withMessage(to: string, message: string): Promise<PagedInMessage | undefined> };
  /** Finds the alerts that a message of a chat shows. */
  readonly posts: {
    withMessage(message: Pick<Press, 'chat' | 'message' | 'topic'>): Promise<readonly ShownInMessage[]>;
  };
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly accounts: Pick<TrustedAccounts, 'haveButtonsIn'>;
  /** With the index `telegram`. */
  readonly users: Pick<UserReplica, 'fetch'>;
  readonly roles: Pick<ReplicaView<RoleState>, 'get'>;
  readonly alerts: Alerts;
  readonly answers: Pick<AnswerAlerts, 'order' | 'whyWithoutEffect'>;
  readonly clock: Clock;
}

interface PagedInMessage {
  readonly alertId: string;
  readonly pageId: string;
  readonly userId: string;
  readonly sentAt: Date;
}

interface ShownInMessage {
  readonly alertId: string;
  readonly integrationId: string;
  /** When it was last edited. */
  readonly at: Date;
}

/** What a message with buttons is about. */
interface PressedMessage {
  readonly alertId: string;
  /** All presses of one button of it that request the same change are one act. */
  readonly page: string;
  /** When it was sent, or last edited. */
  readonly at: Date;
  /** Of a page: the user who alone may press. */
  readonly userId?: string;
  /** Of a post: the integration of its channel, undefined where that is not known yet. */
  readonly post?: { readonly integration: IntegrationState | undefined };
}

/** How long a button works. */
const WORKS_FOR_MS = 7 * 86_400_000;

/** Takes presses of buttons below messages of the bot: each acts as the user who linked the account (C7, U13). */
export class TakePresses {
  readonly #ports: TakePressesPorts;

  constructor(ports: TakePressesPorts) {
    this.#ports = ports;
  }

  /**
   * Once this resolves after a press that has an effect, the command survives any crash. A repeat has no further effect.
   *
   * @throws UnavailableError where settings or users cannot be read, and errors of the stores.
   */
  async take(press: Press): Promise<PressAnswer> {
    const { alerts, answers, clock, roles, users } = this.#ports;
    const message = await this.#messageOf(press);
    if (message === undefined) return { outcome: 'unusable', says: UNKNOWN_MESSAGE };
    if (clock.now().getTime() - message.at.getTime() > WORKS_FOR_MS) return { outcome: 'expired', says: EXPIRED };
    const { action } = press;
    const alert = await alerts.find(message.alertId);
    const barred = message.post && whyBarred(message.post.integration, alert);
    if (barred !== undefined) return { outcome: 'unusable', says: `${ALERT}: ${barred}` };
    const pointless = await answers.whyWithoutEffect(message, action, alert);
    if (pointless !== undefined) return answered(message, action, pointless);
    const address = deviceAddress('telegram', press.account);
    const user = whoActs(await users.fetch('telegram', address), message, roles);
    if (typeof user === 'string') return { outcome: 'unusable', says: user };
    const done = await answers.order(message, { action }, { actor: user, answer: answerOf(message) });
    return answered(message, action, done);
  }

  /** A page in the private chat, or a post of an integration that posts by the bot. */
  async #messageOf({ account, chat, editedAt, message, topic }: Press): Promise<PressedMessage | undefined> {
    const { accounts, integrations, pages, posts, settings: client } = this.#ports;
    if (chat === account) {
      const page = await pages.withMessage(deviceAddress('telegram', account), message);
      if (page !== undefined)
        return { alertId: page.alertId, page: digestOf(page.pageId), at: page.sentAt, userId: page.userId };
      // An integration may post in a private chat too.
    }
    for (const { alertId, at, integrationId } of await posts.withMessage({ chat, message, topic })) {
      const settings = await client.of(integrationId);
      if (settings?.isOn !== true || settings.chat === undefined) continue;
      // An integration chooses its server, whose word about a message of another one is worth nothing.
      if (!accounts.haveButtonsIn({ url: settings.url, chat: settings.chat })) continue;
      // A press that Telegram reports again has the same time, also where the post was edited since.
      const page = digestOf(`${chat}:${message}:${editedAt}`);
      return { alertId, page, at, post: { integration: integrations.get(integrationId) } };
    }
    return undefined;
  }
}

/** A user gets no status update of their own act, which would edit their page: so its buttons follow the press. */
function answered(message: PressedMessage, action: AnswerAction, done: keyof typeof OUTCOMES): PressAnswer {
  const isOver = action === 'close' || done === 'closed' || done === 'deleted';
  return {
    outcome: OUTCOMES[done],
    says: answerText(ALERT, action, done),
    ...(message.userId !== undefined && { left: isOver ? [] : ['close'] }),
  };
}

/** The user of the account, or why there is none who may act. */
function whoActs(
  user: UserState | undefined,
  { userId }: PressedMessage,
  roles: TakePressesPorts['roles'],
): UserState | string {
  if (user === undefined || user.blocked) return NO_USER;
  if (userId !== undefined && userId !== user.id) return OF_ANOTHER;
  return mayChange({ role: personRole(user.role, roles.get(user.role)) }) ? user : MAY_NOT;
}

function answerOf({ post }: PressedMessage): AlertAct['answer'] {
  const integration = post?.integration;
  const of = integration && { integration: { id: integration.id, name: integration.name } };
  return { by: 'button', method: 'telegram', ...of };
}

const ALERT = 'This alert';
const NO_USER =
  'Nothing was changed: no user of Tocsin has linked this account. Link it in the console: Me, Devices, Add an account of Telegram.';
const OF_ANOTHER = 'Nothing was changed: this page is of another user.';
const EXPIRED = 'Nothing was changed: this button has expired.';
const UNKNOWN_MESSAGE = 'Nothing was changed: Tocsin does not know this message any more. Use a newer one.';
