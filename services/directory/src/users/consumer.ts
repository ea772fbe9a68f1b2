import type { Clock } from '@tocsin/core';
import type { NoticeCommand, SubscriptionEvent, VerificationEvent } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { liveBrowser, withEndedSubscription } from '../contacts/browser.ts';
import { applyProof, proofOf } from './proof.ts';
import type { UserStore } from './store.ts';
import { type User, withNextVersion } from './user.ts';

type Session = Parameters<UserStore['unverified']>[1];

/** Consumes `verification-events.v1`: a mail verifies its user (U11), a push its device (U13). */
export const verificationEvents = (
  users: Pick<UserStore, 'replaceAll' | 'unverified'>,
): Stages<VerificationEvent, Session, void, readonly User[], readonly User[]> => ({
  read: (session, records) =>
    users.unverified(
      records.map(({ value }) => value.userId),
      session,
    ),
  // A repeated event changes nothing, nor does one of a user who is deleted.
  decide: (unverified, records) => {
    const events = records.map(({ value }) => value);
    return unverified.flatMap((user) => {
      const proof = proofOf(user, events);
      return proof === undefined ? [] : [withNextVersion(applyProof(user, proof), user)];
    });
  },
  write: (session, changed) => users.replaceAll(changed, session),
});

/** A user after the events of a batch, and the mails that tell them. */
interface Ended {
  readonly user: User;
  readonly notices: readonly NoticeCommand[];
}

export interface SubscriptionEventPorts {
  readonly users: Pick<UserStore, 'named' | 'replaceAndNotify'>;
  readonly clock: Clock;
}

/** Consumes `subscription-events.v1`: a browser that is no longer subscribed is not used, and its user gets one mail (U22). */
export const subscriptionEvents = ({
  clock,
  users,
}: SubscriptionEventPorts): Stages<SubscriptionEvent, Session, void, readonly User[], readonly Ended[]> => ({
  read: (session, records) =>
    users.named(
      records.map(({ value }) => value.userId),
      session,
    ),
  // An event that comes again, late or of a contact that is deleted finds no live subscription of its name.
  decide: (present, records) => {
    const now = clock.now();
    const events = records.map(({ value }) => value);
    return present.flatMap((user) => {
      const names = new Set(events.filter(({ userId }) => userId === user.id).map(({ to }) => to));
      const contacts = [...names].flatMap((to) => liveBrowser(user, to) ?? []);
      if (contacts.length === 0) return [];
      const ended = contacts.reduce(withEndedSubscription, user);
      const notices = contacts.map(({ device, to }) => noticeOf(user, { deviceName: device?.name ?? '', to }, now));
      return [{ user: withNextVersion(ended, user), notices }];
    });
  },
  write: (session, ended) =>
    users.replaceAndNotify(
      ended.map(({ user }) => user),
      ended.flatMap(({ notices }) => notices),
      session,
    ),
});

/** A mail to the user name. A subscription ends once, so its name makes the id of the notice. */
const noticeOf = (
  { id, username }: User,
  { deviceName, to }: { readonly deviceName: string; readonly to: string },
  now: Date,
): NoticeCommand => ({
  kind: 'subscription-ended',
  noticeId: `ended:${to}`,
  userId: id,
  username,
  to: username,
  deviceName,
  at: now.toISOString(),
});
