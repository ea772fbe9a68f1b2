import type { VerificationEvent } from '@tocsin/events';
import type { User } from './user.ts';

/** The new verification of a user by an accepted message. */
export interface Proof {
  /** Whether it verifies the user (U11). */
  readonly verifiesUser: boolean;
  /** The topics of the devices that it verifies (U13). */
  readonly topics: readonly string[];
}

type Provable = Pick<User, 'id' | 'username' | 'verified' | 'contacts'>;

/**
 * The verifications of a user by events: a mail that the user can be reached under their user name (U11), a push that the push server
 * takes what is sent to their device (U13). Whether the message was seen is not known. The addresses that the user has now decide, so a
 * message to an address that they no longer have proves nothing. A device that needs a code is verified by that alone. Undefined where nothing new is proven.
 */
export function proofOf(
  { id, username, verified, contacts }: Provable,
  events: readonly Pick<VerificationEvent, 'userId' | 'method' | 'to'>[],
): Proof | undefined {
  const own = events.filter(({ userId }) => userId === id);
  const verifiesUser =
    !verified && own.some(({ method, to }) => method === 'email' && to.trim().toLowerCase() === username);
  const topics = contacts
    .filter(({ device, verification }) => device?.verified === false && verification === undefined)
    .map(({ to }) => to)
    .filter((topic) => own.some(({ method, to }) => method === 'mobile' && to === topic));
  return verifiesUser || topics.length > 0 ? { verifiesUser, topics } : undefined;
}

/** The user with what was proven. */
export function applyProof(user: User, { topics, verifiesUser }: Proof): User {
  const contacts = user.contacts.map((contact) =>
    contact.device !== undefined && topics.includes(contact.to)
      ? { ...contact, device: { ...contact.device, verified: true } }
      : contact,
  );
  return { ...user, verified: user.verified || verifiesUser, contacts };
}
