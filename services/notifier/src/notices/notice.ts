import type { ContactMethod, Decision, NoticeCommand } from '@tocsin/events';
import { UNTRIED, type NoticeDelivery, type ShiftDelivery } from '../messages/delivery.ts';

/** The method by which a notice goes out; only codes for contacts are not all mails. */
const methodOf = (notice: NoticeCommand): ContactMethod =>
  notice.kind === 'contact-verification' ? notice.method : 'email';

/** The name of a notice in texts for users. */
export function nameOfNotice({ kind, username }: Pick<NoticeCommand, 'kind' | 'username'>): string {
  switch (kind) {
    case 'invitation':
      return `invitation of ${username}`;
    case 'contact-verification':
      return `verification code for a contact of ${username}`;
    case 'sign-in':
      return `code to sign in of ${username}`;
    case 'subscription-ended':
      return `mail to ${username} that a browser is no longer subscribed`;
    case 'readiness':
      return `mail of readiness to ${username}`;
  }
}

/** The result of a notice: one message at once, or the reason why there is none. */
export type PlannedNotice = { readonly delivery: NoticeDelivery } | { readonly reason: string };

/** `channels` has the methods with a provider; for any other there is no message, now or later (U3). */
export function planNotice(notice: NoticeCommand, channels: ReadonlySet<ContactMethod>): PlannedNotice {
  const method = methodOf(notice);
  if (!channels.has(method)) return { reason: `there is no channel for ${method}` };
  return {
    delivery: {
      ...UNTRIED,
      deliveryId: `notice:${notice.noticeId}`,
      notice,
      username: notice.username,
      method,
      to: notice.to,
      dueAt: new Date(notice.at),
    },
  };
}

/** The result of one notice, of a shift or another. */
export interface ExpandedNotice {
  readonly deliveries: readonly (NoticeDelivery | ShiftDelivery)[];
  readonly decision: Decision;
}
