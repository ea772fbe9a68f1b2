import type { VerificationEvent } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
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
