import type { User } from '../users/user.ts';
import { withDevice } from './user-contacts.ts';

/** For how long a link to the bot works. */
const VALID_MS = 15 * 60_000;
/** Telegram keeps a message that the bot has not read for a day: until then a repeat of it is recognised. */
const KEPT_MS = 24 * 60 * 60_000;

/** A link by which one account of Telegram becomes a device of a user (U13). */
export interface TelegramLink {
  readonly userId: string;
  /** The SHA-256 of its code, as lower-case hex. */
  readonly codeHash: string;
  /** The id that the contact will have. */
  readonly contactId: string;
  /** What its user calls the device. */
  readonly name: string;
  readonly expiresAt: Date;
}

/** A link that an account has used. No other account may use it. */
export interface UsedLink extends TelegramLink {
  readonly account: string;
}

/** The end of a link that is offered now. */
export const linkExpiry = (now: Date): Date => new Date(now.getTime() + VALID_MS);

/** Links that ended at this instant or before are forgotten. */
export const forgottenUntil = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

/** Where a user opens the private chat with the bot; pressing Start there sends it the code. */
export const linkUrl = (bot: string, code: string): string => `https://t.me/${bot}?start=${code}`;

/**
 * The result of a link. `linked`: the account is a device of the user, also where it was before. `expired`: the code is wrong, too old or used by
 * another account, or the user has deleted the device that it made. `elsewhere`: the account is a device of another user. `full`: the user has as many devices as one may have.
 */
export type LinkResult = 'linked' | 'expired' | 'elsewhere' | 'full';

/** The user after an account has used a link, and what came of it. `isHeld`: another user has the account. */
export function withAccount(
  user: User,
  { contactId, expiresAt, name }: TelegramLink,
  { isHeld, now, to }: { readonly isHeld: boolean; readonly now: Date; readonly to: string },
): { readonly user: User; readonly result: LinkResult } {
  const isDevice = user.contacts.some((contact) => contact.method === 'mobile' && contact.to === to);
  if (isDevice) return { user, result: 'linked' };
  if (isHeld) return { user, result: 'elsewhere' };
  // A link ends as it links its account: this user has deleted the device.
  if (expiresAt <= now) return { user, result: 'expired' };
  const linked = withDevice(user, { id: contactId, name, topic: to });
  return linked === undefined ? { user, result: 'full' } : { user: linked, result: 'linked' };
}
