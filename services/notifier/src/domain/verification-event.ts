import type { UserState, VerificationEvent } from '@tocsin/contracts';
import { userIdOf, type Delivery } from './delivery.ts';

/**
 * What directory is to know of a message once its server has accepted it: a mail may verify a user who is not verified (U11), a push
 * a device that is not (U13). Directory compares the address with the user. What is known of the user here may be old: so each push
 * to a device that is not known here brings the event, and each mail and push to a user who is not, as one who was just invited.
 * Undefined where there is nothing to verify.
 */
export function verificationEventOf(
  delivery: Delivery,
  user: UserState | undefined,
  now: Date,
): VerificationEvent | undefined {
  const { method, state, to } = delivery;
  if (state !== 'sent' || (method !== 'email' && method !== 'mobile')) return undefined;
  if (user !== undefined && isVerified(user, method, to)) return undefined;
  return { userId: userIdOf(delivery), method, to, at: now.toISOString() };
}

function isVerified(user: UserState, method: VerificationEvent['method'], to: string): boolean {
  if (method === 'email') return user.unverified !== true;
  return user.contacts.some((contact) => contact.unverifiedDevice !== true && contact.to === to);
}
