import type { AlertCommand, ButtonProvider, ContactMethod, Decision, UserState } from '@tocsin/events';
import { type Delivery, isPage, METHOD_NAMES } from '../messages/delivery.ts';
import { maskedNumber } from '../messages/phone-number.ts';
import { asksForAction } from './acknowledge-link.ts';

/**
 * How a user acted: by the link of a message, by a message of their own, by a key during a call, by a button below a post, or by a command in
 * a chat (U9, U20, U21, C7, C9).
 */
interface GivenAnswer {
  readonly by: 'link' | 'reply' | 'key' | 'button' | 'command';
  /** The method of the message that was answered, or the product of chat. */
  readonly method: ContactMethod | ButtonProvider | 'telegram';
  /** The address of the message, where it is known. */
  readonly to?: string;
  /** The integration of the channel whose post has the button, or at which the command came. */
  readonly integration?: { readonly id: string; readonly name: string };
}

/** A change of an alert. */
export interface AlertChange {
  readonly action: 'acknowledge' | 'close' | 'snooze' | 'note';
  /** Of a snooze; an hour by default. */
  readonly lengthMs?: number;
  /** Of a note: its text. */
  readonly note?: string;
}

/** The actions by which a user answers a message. */
export type AnswerAction = Exclude<AlertChange['action'], 'note'>;

/** The actor of an answer: the owner of the contact or of the account of chat, or an account of chat that has no user. */
export type AnswerActor =
  | Pick<UserState, 'id' | 'username'>
  | {
      /** The product and the name of the account, such as `Slack: Eve`: at most 100 characters, on one line. */
      readonly name: string;
      /** Its id at the product. */
      readonly account: string;
    };

/** The name of the actor in the log of the alert. */
const actorName = (actor: AnswerActor): string => ('username' in actor ? actor.username : actor.name);

/** A change that a user makes to an alert by answering a message about it, or by a command (U9, U20, U21, C7, C9). */
export interface AlertAct extends AlertChange {
  /** Follows from the answer: the same answer twice is one act. At most 100 characters, and no UUID. */
  readonly requestId: string;
  readonly alertId: string;
  readonly actor: AnswerActor;
  readonly answer: GivenAnswer;
}

const ANSWER_TYPES = { link: 'Link', reply: 'Reply', key: 'Key', button: 'Button', command: 'Command' } as const;
const DONE = { acknowledge: 'acknowledges', close: 'closes', snooze: 'snoozes', note: 'adds a note to' } as const;
export const PRODUCT_NAMES: Readonly<Record<ButtonProvider, string>> = { slack: 'Slack', mattermost: 'Mattermost' };
const PLACES = { ...METHOD_NAMES, ...PRODUCT_NAMES, telegram: 'Telegram' };
const ANSWERED = {
  ...METHOD_NAMES,
  slack: 'post in Slack',
  mattermost: 'post in Mattermost',
  telegram: 'message in Telegram',
} as const;
const SNOOZE_MS = 3_600_000;

/** The command that changes the alert, accepted at `at`. It belongs to no team, so no team's rights limit it. */
export function commandOf(act: AlertAct, at: Date): AlertCommand {
  const { action, actor, alertId, answer, lengthMs = SNOOZE_MS, note = '', requestId } = act;
  const common = {
    requestId,
    identifier: { type: 'id' as const, value: alertId },
    integration: { id: 'notifier', name: answer.method, type: ANSWER_TYPES[answer.by] },
    actor: actorName(actor),
    source: answer.method,
    acceptedAt: at.toISOString(),
  };
  switch (action) {
    case 'snooze':
      return { kind: action, ...common, endTime: new Date(at.getTime() + lengthMs).toISOString() };
    case 'note':
      return { kind: 'add-note', ...common, note };
    case 'acknowledge':
    case 'close':
      return { kind: action, ...common };
  }
}

/** The log entry of the answer. The command writes its own log entry. */
export function decisionOf({ action, actor, alertId, answer, requestId }: AlertAct, at: Date): Decision {
  const { by, integration, method, to } = answer;
  const where = [
    ...(to === undefined ? [] : [` to ${maskedNumber(to)}`]),
    ...(integration === undefined ? [] : [` of integration [${integration.name}]`]),
  ].join('');
  const how = by === 'command' ? `a command in ${PLACES[method]}` : `the ${by} of a ${ANSWERED[method]}`;
  const text = `${actorName(actor)} ${DONE[action]} the alert by ${how}${where}.`;
  const facts = {
    requestId,
    ...('username' in actor ? { userId: actor.id, username: actor.username } : { account: actor.account }),
    action,
    by,
    method,
    ...(integration && { integrationId: integration.id }),
  };
  return {
    decisionId: `act:${requestId}`,
    alertId,
    stage: 'deliver',
    at: at.toISOString(),
    findings: [{ subject: 'answer', outcome: 'taken', text, facts }],
  };
}

/**
 * The result of an answer to a message. `taken`: its command is stored; `repeated`: an earlier answer to the same page has stored
 * it. `acknowledged`, `closed`, `deleted`: the alert is in this state already. `expired`: the code in the message is too old.
 * `no-user`: its user is blocked or gone; `unused`: the number is no longer a usable contact of the user.
 */
export type AnswerOutcome = 'taken' | PointlessAnswer | 'expired' | 'no-user' | 'unused';

/** Why an answer changes nothing. */
export type PointlessAnswer = 'repeated' | 'acknowledged' | 'closed' | 'deleted';

const ORDER = {
  acknowledge: () => 'acknowledgement',
  close: () => 'order to close it',
  snooze: (lengthMs: number) => `order to snooze it for ${lengthText(lengthMs)}`,
  note: () => 'note',
} as const;
const MINUTES = { day: 1_440, hour: 60, minute: 1 };

/** A length of whole minutes in its largest whole unit: `an hour`, `90 minutes`. */
function lengthText(lengthMs: number): string {
  const minutes = lengthMs / 60_000;
  const [unit, size] = Object.entries(MINUTES).find(([, each]) => minutes % each === 0) ?? ['minute', 1];
  if (minutes !== size) return `${minutes / size} ${unit}s`;
  return unit === 'hour' ? 'an hour' : `a ${unit}`;
}

const DONE_BY_ANSWER = { acknowledge: 'acknowledged', close: 'closed', snooze: 'snoozed', note: 'noted' } as const;

/** The reply to the user, in one sentence. `alert` is the name of the alert in messages of the method. `lengthMs` is that of a snooze. */
export const answerText = (
  alert: string,
  action: AlertAct['action'],
  outcome: AnswerOutcome,
  lengthMs = SNOOZE_MS,
): string => `${alert}: ${sentence(action, outcome, lengthMs)}`;

function sentence(action: AlertAct['action'], outcome: AnswerOutcome, lengthMs: number): string {
  switch (outcome) {
    case 'taken':
      return `your ${ORDER[action](lengthMs)} is accepted.`;
    case 'repeated':
      return `you have ${DONE_BY_ANSWER[action]} it already.`;
    case 'acknowledged':
      return 'it is acknowledged already.';
    case 'closed':
      return action === 'close' ? 'it is closed already.' : 'nothing was changed, it is closed.';
    case 'deleted':
      return 'nothing was changed, it was deleted.';
    case 'expired':
      return 'nothing was changed, the code has expired.';
    case 'no-user':
      return 'nothing was changed, your user is blocked or gone.';
    case 'unused':
      return 'nothing was changed, this number is not in use any more.';
  }
}

/** The subject of an answer to a text message or call, with no content of the alert (A6). */
export interface Answerable {
  readonly alertId: string;
  /** A digest of the page's id: all answers to one page that request the same change are one act. */
  readonly page: string;
  readonly userId: string;
  readonly tinyId: string;
  /** The number to which the message was sent, in the form of contacts. */
  readonly to: string;
}

/**
 * The subject of answers to a message; undefined where the message asks for no action. `digest` makes a short text of a page's id.
 */
export function answerableBy(delivery: Delivery, digest: (pageId: string) => string): Answerable | undefined {
  if (!isPage(delivery) || !asksForAction(delivery.page)) return undefined;
  const { alert, alertId, pageId, userId } = delivery.page;
  return { alertId, page: digest(pageId), userId, tinyId: alert.tinyId, to: delivery.to };
}

/** The page that an answer is about. */
export type AnsweredPage = Pick<Answerable, 'alertId' | 'page'>;

/**
 * The act of an answer. It is the same for each message of the page, and for a link, a reply and a key. An acknowledged alert can
 * still be closed.
 */
export const actIdOf = ({ alertId, page }: AnsweredPage, action: AlertAct['action']): string =>
  `answer:${alertId}:${page}:${action}`;

/** Whether two notations are of the same number: `1-5551234567` of a contact (U3), `+15551234567` of a provider. */
export const isSameNumber = (one: string, other: string): boolean => digitsOf(one) === digitsOf(other);

/** The digits of a number, the country code first, without the `00` that many countries dial before it. */
export const digitsOf = (number: string): string => number.replaceAll(/\D/g, '').replace(/^00/, '');
