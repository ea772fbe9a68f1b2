import type { ContactMethod, NoticeCommand, Page, ShiftNotice } from '@tocsin/contracts';

/**
 * The life of one message: `waiting` for its time (first or again) -> `sending` -> `sent`, or `failed`, or `dropped` because
 * nobody wants it any more. It is not sent again after one of the last three; a receipt may still move it on, to `delivered` or
 * from `sent` to `failed`. `delivered` is never undone.
 */
type DeliveryState = 'waiting' | 'sending' | 'sent' | 'delivered' | 'failed' | 'dropped';

interface Message {
  readonly deliveryId: string;
  readonly username: string;
  readonly method: ContactMethod;
  readonly to: string;
  readonly state: DeliveryState;
  /** How often its sending was begun. */
  readonly attempts: number;
  /** How many attempts sent nothing: the provider was at its rate, or they began too late. */
  readonly postponements: number;
  /** How many attempts nobody knows the outcome of: the process died, or lost the database, before it wrote their result. */
  readonly interruptions: number;
  /** When it was first due. */
  readonly dueAt: Date;
  /** When the first try began that the process did not cut by its end; absent before. The 15 minutes of its tries count from then. */
  readonly triedSince?: Date;
  /** What the provider or we ourselves said last. */
  readonly reason: string | undefined;
  /** The provider that was asked last. */
  readonly provider?: string;
  /** The providers that have had their attempts at this message, each as a delivery of its own; absent for the first. */
  readonly refusedBy?: readonly string[];
  /** Until when the content is kept though it was sent: a receipt may say that it failed, and then it goes to another provider. */
  readonly keptUntil?: Date;
  /** The message of several pages that it goes out in (U8); absent where it is a message by itself. */
  readonly bundle?: BundleMembership;
  /** Its bundle was refused for good, so it is tried once more by itself: what was wrong may be wrong with another page. */
  readonly byItself?: true;
}

/** A message of several pages, of which a delivery is a part. It is stored as the message is begun. */
interface BundleMembership {
  readonly id: string;
  /** How often the message was begun, by whatever process. */
  readonly attempt: number;
  /** How many pages it has. */
  readonly size: number;
}

/** A message by a step of one of its user's notification rules. */
interface StepMessage extends Message {
  /** The message goes to the address that this contact has when it is sent. */
  readonly contactId: string;
  /** When the next step takes over; tries end then, or after 15 minutes where that is earlier or the first try was late (U7). */
  readonly nextStepAt?: Date;
}

/** A message about an alert: one step of one page. */
export interface PageDelivery extends StepMessage {
  readonly page: Page;
  /** Which run through the steps it is of; absent for the first. */
  readonly run?: number;
}

/** A message about somebody's time on call: one step of one notice (U6). */
export interface ShiftDelivery extends StepMessage {
  readonly shift: ShiftNotice;
}

/** A message about no alert: an invitation, or the code of a contact. */
export interface NoticeDelivery extends Message {
  readonly notice: NoticeCommand;
}

export type Delivery = PageDelivery | ShiftDelivery | NoticeDelivery;

export const isPage = (delivery: Delivery): delivery is PageDelivery => 'page' in delivery;

export const isNotice = (delivery: Delivery): delivery is NoticeDelivery => 'notice' in delivery;

/** False also of a kind that only a later release knows. */
export const isShift = (delivery: Delivery): delivery is ShiftDelivery => 'shift' in delivery;

/** Whom a delivery is for; empty where only a later release knows its kind. */
export function userIdOf(delivery: Delivery): string {
  if (isPage(delivery)) return delivery.page.userId;
  if (isNotice(delivery)) return delivery.notice.userId;
  return isShift(delivery) ? delivery.shift.userId : '';
}

/** The alert that a delivery tells of; undefined of any notice. */
export const alertIdOf = (delivery: Delivery): string | undefined =>
  isPage(delivery) ? delivery.page.alertId : undefined;

/** A provider took it; `reason` is what it said. */
export const sent = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'sent', reason);

export const failed = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'failed', reason);

export const dropped = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'dropped', reason);

export const delivered = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'delivered', reason);

/** Whether it will not be sent any more. */
export const isFinal = ({ state }: Delivery): boolean => state !== 'waiting' && state !== 'sending';

/** The message by itself: a part of no bundle. */
export function withoutBundle(delivery: Delivery): Delivery {
  const { bundle, ...rest } = delivery;
  return bundle === undefined ? delivery : rest;
}

/** What is the same for every message before its first try. */
export const UNTRIED = {
  state: 'waiting',
  attempts: 0,
  postponements: 0,
  interruptions: 0,
  reason: undefined,
} as const;

/**
 * The message as it was before its first try. That one provider refused it, in a bundle or by itself, says nothing of the
 * next.
 */
export function untried(delivery: Delivery): Delivery {
  const { bundle, byItself, ...rest } = delivery;
  return { ...rest, ...UNTRIED };
}

/** For these a double page beats none (U7). */
export const isUrgent = (delivery: Delivery): boolean =>
  isPage(delivery) && (delivery.page.alert.priority === 'P1' || delivery.page.alert.priority === 'P2');

/** A code is of no use once its message has come to an end, and is forgotten. */
function ended(delivery: Delivery, state: Exclude<DeliveryState, 'waiting' | 'sending'>, reason: string): Delivery {
  const end = { state, reason: withoutSecret(delivery, reason) };
  if (!isNotice(delivery)) return { ...delivery, ...end };
  const { notice } = delivery;
  return { ...delivery, ...end, notice: notice.kind === 'contact-verification' ? { ...notice, code: '' } : notice };
}

/** What a server says of a delivery may repeat the code that it was given, which must not reach a log. */
export const withoutSecret = (delivery: Delivery, reason: string): string =>
  isNotice(delivery) ? withoutCode(delivery.notice, reason) : reason;

/** A text without the code of a notice, if that has one. */
export const withoutCode = (notice: NoticeCommand, text: string): string =>
  notice.kind === 'contact-verification' && notice.code !== '' ? text.replaceAll(notice.code, '[code]') : text;
