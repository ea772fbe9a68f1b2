import type { DecisionFinding, NoticeCommand, Page, UserState } from '@tocsin/events';
import {
  markDropped,
  markFailed,
  isNotice,
  isPage,
  isShift,
  type PageDelivery,
  type ShiftDelivery,
  type UserDelivery,
} from './delivery.ts';

/** The known facts when a message is about to be sent. */
export interface SendContext {
  /** Its user; undefined while the replica of users does not have the user. */
  readonly user: UserState | undefined;
  /** The user was deleted. */
  readonly isGone?: boolean;
  readonly now: Date;
}

/**
 * The delivery as it is sent at this instant, or dropped with the reason: its page was cancelled (U5), its user is muted, the
 * contact may not be used any more, or the code has expired. The steps are those that were planned, the contacts the present ones: a
 * contact with a new address is reached there, and a deleted contact by a new one with the same address. A delivery of a kind that only a
 * later release knows fails, so that it delays no other.
 */
export function checkBeforeSending(delivery: UserDelivery, { isGone, now, user }: SendContext): UserDelivery {
  if (isNotice(delivery))
    return isExpired(delivery.notice, now) ? markDropped(delivery, 'the code has expired') : delivery;
  if (!isPage(delivery) && !isShift(delivery))
    return markFailed(delivery, 'this release does not know what it is about');
  if (isPage(delivery) && delivery.cancelReason !== undefined) return markDropped(delivery, delivery.cancelReason);
  if (user !== undefined) return checkUser(delivery, user, now);
  return isGone === true ? markDropped(delivery, 'the user was deleted') : delivery;
}

function checkUser(delivery: PageDelivery | ShiftDelivery, user: UserState, now: Date): UserDelivery {
  const muted = mutedUntil(isPage(delivery) ? delivery.page : undefined, user, now);
  return muted === undefined
    ? checkContact(delivery, user)
    : markDropped(delivery, `${user.username} is muted until ${muted}`);
}

const isExpired = (notice: NoticeCommand, now: Date): boolean =>
  'expiresAt' in notice && now.getTime() >= Date.parse(notice.expiresAt);

function checkContact(delivery: PageDelivery | ShiftDelivery, user: UserState): UserDelivery {
  if (user.blocked) return markDropped(delivery, 'the user is blocked');
  const { contactId, method, to } = delivery;
  const contact =
    user.contacts.find(({ id }) => id === contactId) ??
    user.contacts.find((each) => each.method === method && each.to === to);
  const reason = whyUnusable(contact);
  return reason === undefined ? { ...delivery, to: contact?.to ?? to } : markDropped(delivery, reason);
}

export type Contact = UserState['contacts'][number];

/** The reason for a contact that its user does not have. */
export const NO_CONTACT = 'the contact does not exist any more';

/** Why a contact may not be used, or undefined while it may. */
export function whyUnusable(contact: Contact | undefined): string | undefined {
  if (contact === undefined) return NO_CONTACT;
  if (!contact.enabled) return 'the contact is disabled';
  if (contact.subscriptionEnded === true) return 'the browser is no longer subscribed';
  if (contact.unverified === true) return 'the contact is not verified';
  return undefined;
}

/**
 * Until when the mute of a user stops a message; undefined where it does not. `page` is the page of the message; undefined for a notice of
 * a shift. A mute does not stop P1.
 */
function mutedUntil(
  page: Pick<Page, 'alert'> | undefined,
  { mutedUntil: until }: Pick<UserState, 'mutedUntil'>,
  at: Date,
): string | undefined {
  const isMuted = until !== undefined && page?.alert.priority !== 'P1' && at.getTime() < Date.parse(until);
  return isMuted ? until : undefined;
}

/** The finding that the user is muted when the steps begin. Each step is checked again when it is due: by then the mute may have ended. */
export function mutedNow(
  page: Pick<Page, 'alert'> | undefined,
  user: UserState,
  at: Date,
  facts: Readonly<Record<string, string>>,
): readonly DecisionFinding[] {
  const until = mutedUntil(page, user, at);
  if (until === undefined) return [];
  const text = `${user.username} is muted until ${until}: messages that are due before then are not sent, but for P1.`;
  return [{ subject: 'user', outcome: 'muted', text, facts: { ...facts, userId: user.id, until } }];
}
