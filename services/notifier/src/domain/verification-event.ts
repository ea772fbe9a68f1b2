import type { UserState, VerificationEvent } from '@tocsin/contracts';
import { userIdOf, type Delivery } from './delivery.ts';

/**
 * What a message tells directory once its server has accepted it: a mail to the user name of a user who is not verified (U11), a
 * push to a device that is not (U13). Of a user who is not known here yet, as one who was just invited, each mail and push
 * does. Undefined where there is nothing to verify.
 */
export function verificationEventOf(
  delivery: Delivery,
  user: UserState | undefined,
  now: Date,
): VerificationEvent | undefined {
  const { method, state, to } = delivery;
  if (state !== 'sent' || (method !== 'email' && method !== 'mobile')) return undefined;
  if (user !== undefined && !isUnverified(user, method, to)) return undefined;
  return { userId: userIdOf(delivery), method, to, at: now.toISOString() };
}

function isUnverified(user: UserState, method: VerificationEvent['method'], to: string): boolean {
  if (method === 'email') return user.unverified === true && to.trim().toLowerCase() === user.username;
  return user.contacts.some((contact) => contact.unverifiedDevice === true && contact.to === to);
}
