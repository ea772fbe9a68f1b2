import type { Decision } from '@tocsin/contracts';
import type { User } from './user.ts';

/**
 * A message to a user that a server has taken: a mail for an address, or a push for a topic. Whether it was seen is not known
 * (0064).
 */
export interface Receipt {
  readonly userId: string;
  readonly method: 'email' | 'mobile';
  readonly to: string;
}

/** What a message proves of a user that was not known before. */
export interface Proof {
  /** Whether it verifies the user (U11). */
  readonly verifiesUser: boolean;
  /** The topics of the devices that it verifies (U13). */
  readonly topics: readonly string[];
}

const isProving = (method: unknown): method is Receipt['method'] => method === 'email' || method === 'mobile';

/** The mails and pushes of which a decision says that they were handed over; other decisions have none. */
export function receiptsOf({ stage, verdicts }: Decision): readonly Receipt[] {
  if (stage !== 'deliver') return [];
  return verdicts.flatMap(({ outcome, facts: { userId, method, to } = {} }) =>
    outcome === 'sent' && isProving(method) && typeof userId === 'string' && typeof to === 'string'
      ? [{ userId, method, to }]
      : [],
  );
}

type Provable = Pick<User, 'id' | 'username' | 'verified' | 'contacts'>;

/**
 * What the receipts prove of a user: a mail that the user can be reached under their user name (U11), a push that the
 * push server takes what is sent to their device (U13). Undefined where that is nothing new.
 */
export function proofOf(
  { id, username, verified, contacts }: Provable,
  receipts: readonly Receipt[],
): Proof | undefined {
  const own = receipts.filter(({ userId }) => userId === id);
  const verifiesUser =
    !verified && own.some(({ method, to }) => method === 'email' && to.trim().toLowerCase() === username);
  const topics = contacts
    .filter(({ device }) => device?.verified === false)
    .map(({ to }) => to)
    .filter((topic) => own.some(({ method, to }) => method === 'mobile' && to === topic));
  return verifiesUser || topics.length > 0 ? { verifiesUser, topics } : undefined;
}

/** The user with what was proven. */
export function proven(user: User, { topics, verifiesUser }: Proof): User {
  const contacts = user.contacts.map((contact) =>
    contact.device !== undefined && topics.includes(contact.to)
      ? { ...contact, device: { ...contact.device, verified: true } }
      : contact,
  );
  return { ...user, verified: user.verified || verifiesUser, contacts };
}
