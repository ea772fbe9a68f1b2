import type { User } from '../users/user.ts';
import type { Contact } from './contact.ts';
import { contactOf, withChanged } from './user-contacts.ts';
import {
  checkGuess,
  CODE_LIFETIME_MS,
  type Guess,
  MAX_TRIES,
  type SentCode,
  type TooSoon,
  withSending,
} from './verification-code.ts';

/** A code as it is stored. */
export type NewCode = Pick<SentCode, 'salt' | 'hash'>;

export type CodeSent =
  | { readonly kind: 'sent'; readonly user: User; readonly contact: Contact; readonly expiresAt: Date }
  | ({ readonly kind: 'too-soon' } & TooSoon)
  | { readonly kind: 'missing' | 'verified' };

/** The user with a new code for one contact, in the place of any older one; the rate limit holds for the address (U3). */
export function withCode(user: User, contactId: string, { salt, hash }: NewCode, now: Date): CodeSent {
  const contact = contactOf(user, contactId);
  if (contact === undefined) return { kind: 'missing' };
  if (contact.verification === undefined) return { kind: 'verified' };
  const address = `${contact.method}:${contact.to.toLowerCase()}`;
  const sending = withSending(user.codesSent ?? [], address, now);
  if (sending.kind === 'too-soon') return sending;
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  const verification = { code: { salt, hash, expiresAt, triesLeft: MAX_TRIES } };
  const changed = withChanged(user, { ...contact, verification });
  return { kind: 'sent', user: { ...changed, codesSent: sending.codesSent }, contact, expiresAt };
}

export type Confirmation =
  | { readonly kind: 'confirmed'; readonly user: User }
  | { readonly kind: 'wrong'; readonly user: User; readonly triesLeft: number }
  | { readonly kind: 'missing' }
  | Exclude<Guess, { readonly kind: 'right' | 'wrong' }>;

/** The user after one guess at the code of a contact. A confirmed contact stays confirmed. */
export function withGuess(user: User, contactId: string, fits: (code: SentCode) => boolean, now: Date): Confirmation {
  const contact = contactOf(user, contactId);
  if (contact === undefined) return { kind: 'missing' };
  const { verification, ...confirmed } = contact;
  if (verification === undefined) return { kind: 'confirmed', user };
  const guess = checkGuess(verification, fits, now);
  switch (guess.kind) {
    case 'right':
      return { kind: 'confirmed', user: withChanged(user, withProvenDevice(confirmed)) };
    case 'wrong':
      return {
        kind: 'wrong',
        user: withChanged(user, { ...contact, verification: { code: guess.code } }),
        triesLeft: guess.code.triesLeft,
      };
    case 'none-sent':
    case 'expired':
    case 'used-up':
      return guess;
  }
}

/** The account of a device got the code. */
const withProvenDevice = (contact: Contact): Contact =>
  contact.device === undefined ? contact : { ...contact, device: { ...contact.device, verified: true } };
