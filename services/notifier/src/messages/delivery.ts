import { ContactMethod, type NoticeCommand, type Page, type ShiftNotice, type WebhookCommand } from '@tocsin/events';
import { InvariantError } from '@tocsin/core';

/** The methods of contacts, and calls of webhooks. */
export type DeliveryMethod = ContactMethod | 'webhook';

export const DELIVERY_METHODS: readonly DeliveryMethod[] = [...ContactMethod.options, 'webhook'];

/** What a message of each method is called in logs. */
export const METHOD_NAMES: Readonly<Record<ContactMethod, string>> = {
  email: 'mail',
  sms: 'text message',
  voice: 'call',
  mobile: 'push',
};

/**
 * The life of one message: `waiting` for its time (first or again) -> `sending` -> `sent`, or `failed`, or `dropped` (its page
 * was cancelled, or its contact may not be used), or `held-back` (shadow is on, M1). These are final: the message is not sent again. A
 * receipt may move `sent` on to `delivered` or `failed`; `delivered` never changes.
 */
type DeliveryState = 'waiting' | 'sending' | 'sent' | 'delivered' | 'failed' | 'dropped' | 'held-back';

interface Message {
  readonly deliveryId: string;
  readonly method: DeliveryMethod;
  readonly state: DeliveryState;
  /** How many attempts were begun. */
  readonly attempts: number;
  /** How many attempts sent nothing: the provider was at its rate, or they began too late. */
  readonly postponements: number;
  /** How many attempts have no result: the process died, or lost the database, before it wrote it. */
  readonly interruptions: number;
  /** When it was first due. */
  readonly dueAt: Date;
  /** When the first try began whose process did not die; absent before. The time of its tries counts from then. */
  readonly triedSince?: Date;
  /** The last result, in the words of the provider or of notifier. */
  readonly reason: string | undefined;
}

/** A message to a user. */
interface UserMessage extends Message {
  readonly username: string;
  readonly method: ContactMethod;
  readonly to: string;
  /** The provider of the last attempt. */
  readonly provider?: string;
  /**
   * The providers that are not tried again: they refused the message or did not answer, each in a delivery of its own. Absent in the first
   * one.
   */
  readonly refusedBy?: readonly string[];
  /** Until when the content of a sent message is kept: after a receipt of a failure the message goes to another provider. */
  readonly keptUntil?: Date;
  /** The message of several pages that it is part of (U8); absent where it is a message of its own. */
  readonly bundle?: BundleMembership;
  /** Its bundle was refused for good, so it is tried once more alone: another page may be the cause. */
  readonly byItself?: true;
  /**
   * Whether its provider has refused it and it may be tried before its time once the provider accepts another message (U7); `used`: its
   * next try is such an early one. Absent in all other cases.
   */
  readonly earlyRetry?: 'allowed' | 'used';
}

/** A message of several pages, of which a delivery is a part. It is stored as the message is begun. */
interface BundleMembership {
  readonly id: string;
  /** How often any process has begun the message. */
  readonly attempt: number;
  /** How many pages it has. */
  readonly size: number;
}

/** A message by a step of one of its user's notification rules. */
interface StepMessage extends UserMessage {
  /** The message goes to the address that this contact has when it is sent. */
  readonly contactId: string;
  /** The time of the next step. Tries end then, or after 15 minutes where that is earlier or the first try was late (U7). */
  readonly nextStepAt?: Date;
}

/** A message about an alert: one step of one page. */
export interface PageDelivery extends StepMessage {
  readonly page: Page;
  /** The number of the run through the steps; absent for the first run. */
  readonly run?: number;
  /** Why it is not sent any more: a cancel ended its page. */
  readonly cancelReason?: string;
}

/** A message about the user's time on call: one step of one notice (U6). */
export interface ShiftDelivery extends StepMessage {
  readonly shift: ShiftNotice;
}

/** A message about no alert: an invitation, or the code of a contact. */
export interface NoticeDelivery extends UserMessage {
  readonly notice: NoticeCommand;
}

/** A message to a user. */
export type UserDelivery = PageDelivery | ShiftDelivery | NoticeDelivery;

/** An action on an alert, for the webhook of one integration. */
export interface WebhookEvent extends Omit<WebhookCommand, 'integrationIds'> {
  readonly integrationId: string;
  /** The integration is a channel of chat. */
  readonly isChat?: true;
}

/** A call of a webhook. It has one receiver: no bundle, no other provider and no receipt. */
export interface WebhookDelivery extends Message {
  readonly method: 'webhook';
  /** Without the content of the alert once the delivery is final. */
  readonly webhook: WebhookEvent;
  readonly to?: never;
  readonly provider?: never;
  readonly refusedBy?: never;
  readonly keptUntil?: never;
  readonly bundle?: never;
  readonly byItself?: never;
  readonly earlyRetry?: never;
}

export type Delivery = UserDelivery | WebhookDelivery;

export const isWebhook = (delivery: Delivery): delivery is WebhookDelivery => delivery.method === 'webhook';

/** Whether it is an event for a channel of chat. */
export const isOfChat = (delivery: Delivery): boolean => isWebhook(delivery) && delivery.webhook.isChat === true;

/** @throws InvariantError of a call of a webhook, which never waits in a queue of a user. */
export function ofUser(delivery: Delivery): UserDelivery {
  if (isWebhook(delivery)) throw new InvariantError(`[${delivery.deliveryId}] is for no user`);
  return delivery;
}

export const isPage = (delivery: Delivery): delivery is PageDelivery => 'page' in delivery;

export const isNotice = (delivery: Delivery): delivery is NoticeDelivery => 'notice' in delivery;

/** False also of a kind that only a later release knows. */
export const isShift = (delivery: Delivery): delivery is ShiftDelivery => 'shift' in delivery;

/** Whether a page reports something that has happened, and asks its user for no action. */
export function isStatusUpdate({ actionType }: Pick<Page, 'actionType'>): boolean {
  switch (actionType) {
    case 'acknowledged-alert':
    case 'closed-alert':
    case 'assigned-alert':
    case 'add-note':
      return true;
    case 'create-alert':
    case 'renotified-alert':
    case 'schedule-start':
    case 'schedule-end':
    case 'incoming-call-routing':
      return false;
  }
}

/** The user of a delivery; empty where only a later release knows its kind. */
export function userIdOf(delivery: UserDelivery): string {
  if (isPage(delivery)) return delivery.page.userId;
  if (isNotice(delivery)) return delivery.notice.userId;
  return isShift(delivery) ? delivery.shift.userId : '';
}

/** A provider accepted it; `reason` is the text of the provider. */
export const markSent = <D extends Delivery>(delivery: D, reason: string): D => withEnd(delivery, 'sent', reason);

export const markFailed = <D extends Delivery>(delivery: D, reason: string): D => withEnd(delivery, 'failed', reason);

export const markDropped = <D extends Delivery>(delivery: D, reason: string): D => withEnd(delivery, 'dropped', reason);

export const markHeldBack = <D extends Delivery>(delivery: D, reason: string): D =>
  withEnd(delivery, 'held-back', reason);

export const markDelivered = <D extends Delivery>(delivery: D, reason: string): D =>
  withEnd(delivery, 'delivered', reason);

/** Whether it will not be sent any more. */
export const isFinal = ({ state }: Delivery): boolean => state !== 'waiting' && state !== 'sending';

/** The message without its bundle. */
export function withoutBundle<D extends Delivery>(delivery: D): D {
  if (delivery.bundle === undefined) return delivery;
  const { bundle, ...rest } = delivery;
  return rest as D;
}

/** The fields that are the same for every message before its first try. */
export const UNTRIED = {
  state: 'waiting',
  attempts: 0,
  postponements: 0,
  interruptions: 0,
  reason: undefined,
} as const;

/**
 * The message as it was before its first try: the refusal of one provider, of the bundle or of the message alone, does not count for the
 * next.
 */
export function withoutTries(delivery: UserDelivery): UserDelivery {
  const { bundle, byItself, earlyRetry, ...rest } = delivery;
  return { ...rest, ...UNTRIED };
}

/** Whether the message is better sent twice than not at all (U17). */
export const isUrgent = (delivery: Delivery): boolean =>
  isPage(delivery) && (delivery.page.alert.priority === 'P1' || delivery.page.alert.priority === 'P2');

/** A final delivery has no code. */
function withEnd<D extends Delivery>(
  delivery: D,
  state: Exclude<DeliveryState, 'waiting' | 'sending'>,
  reason: string,
): D {
  const end = { state, reason: withoutSecret(delivery, reason) };
  if (!isNotice(delivery)) return { ...delivery, ...end };
  const { notice } = delivery;
  return { ...delivery, ...end, notice: 'code' in notice ? { ...notice, code: '' } : notice };
}

/** The text of a server about a delivery may repeat the code, which must not reach a log. */
export const withoutSecret = (delivery: Delivery, reason: string): string =>
  isNotice(delivery) ? withoutCode(delivery.notice, reason) : reason;

/** A text without the code of a notice, if that has one. */
export const withoutCode = (notice: NoticeCommand, text: string): string =>
  'code' in notice && notice.code !== '' ? text.replaceAll(notice.code, '[code]') : text;

/** The subject that a final delivery keeps: no content of an alert, no code (A6). */
export function subjectOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  if (isWebhook(delivery)) {
    const { action, alertId, integrationId, version } = delivery.webhook;
    return { webhook: { action, alertId, integrationId, version } };
  }
  if (isNotice(delivery)) {
    const { kind, noticeId, userId } = delivery.notice;
    return { notice: { kind, noticeId, userId } };
  }
  if (isShift(delivery)) {
    const { actionType, noticeId, userId } = delivery.shift;
    return { shift: { actionType, noticeId, userId } };
  }
  if (!isPage(delivery)) return {};
  const { actionType, alertId, pageId, userId } = delivery.page;
  return { page: { pageId, alertId, userId, actionType } };
}
