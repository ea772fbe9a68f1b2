import type { NoticeCommand, UserState } from '@tocsin/contracts';
import { unusable } from './contact.ts';
import {
  dropped,
  failed,
  isNotice,
  isPage,
  isShift,
  type Delivery,
  type PageDelivery,
  type ShiftDelivery,
} from './delivery.ts';
import { mutedUntil } from './mute.ts';
import { unwanted, type AlertStanding } from './wanted.ts';

/** What is known when a message is about to be sent. */
export interface SendContext {
  readonly standing: AlertStanding | undefined;
  /** The person whom it is for; undefined where nobody has heard of them here yet. */
  readonly user: UserState | undefined;
  /** The user was deleted. */
  readonly isGone?: boolean;
  readonly now: Date;
}

/**
 * The delivery as it is to be sent at this instant, or dropped with the reason: nobody wants it any more (U5), its user is
 * muted, the contact may not be used any more, or the code has expired. Steps stay as they were planned, contacts are today's: one
 * that was given another address in between is reached there, and one that was made anew under the same address too. What
 * a later release left, of a kind that is not known here, fails, so that it holds up nobody.
 */
export function rechecked(delivery: Delivery, { isGone, now, standing, user }: SendContext): Delivery {
  if (isNotice(delivery)) return isExpired(delivery.notice, now) ? dropped(delivery, 'the code has expired') : delivery;
  if (!isPage(delivery) && !isShift(delivery)) return failed(delivery, 'this release does not know what it is about');
  const reason = isPage(delivery) ? unwanted(delivery.page, standing) : undefined;
  if (reason !== undefined) return dropped(delivery, reason);
  if (user !== undefined) return forUser(delivery, user, now);
  return isGone === true ? dropped(delivery, 'the user was deleted') : delivery;
}

function forUser(delivery: PageDelivery | ShiftDelivery, user: UserState, now: Date): Delivery {
  const muted = mutedUntil(isPage(delivery) ? delivery.page : undefined, user, now);
  return muted === undefined
    ? addressed(delivery, user)
    : dropped(delivery, `${user.username} is muted until ${muted}`);
}

const isExpired = (notice: NoticeCommand, now: Date): boolean =>
  notice.kind === 'contact-verification' && now.getTime() >= Date.parse(notice.expiresAt);

function addressed(delivery: PageDelivery | ShiftDelivery, user: UserState): Delivery {
  if (user.blocked) return dropped(delivery, 'the user is blocked');
  const { contactId, method, to } = delivery;
  const contact =
    user.contacts.find(({ id }) => id === contactId) ??
    user.contacts.find((each) => each.method === method && each.to === to);
  const reason = unusable(contact);
  return reason === undefined ? { ...delivery, to: contact?.to ?? to } : dropped(delivery, reason);
}
