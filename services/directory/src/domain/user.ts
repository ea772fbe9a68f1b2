import type { StateMessage, UserState, Version } from '@tocsin/contracts';
import { contactState, type Contact } from './contact.ts';
import { notificationRuleState, type NotificationRule } from './notification-rule.ts';
import type { Role } from './role.ts';
import type { CodeSending } from './verification.ts';

export interface UserAddress {
  readonly country: string;
  readonly state: string;
  readonly city: string;
  readonly line: string;
  readonly zipCode: string;
}

export const NO_ADDRESS: UserAddress = { country: '', state: '', city: '', line: '', zipCode: '' };

/** Part 3, 2.1: a person, with the contacts and notification rules that are theirs alone. */
export interface User {
  readonly id: string;
  /** In lower case, unique (U1). */
  readonly username: string;
  readonly fullName: string;
  readonly role: Role;
  readonly skypeUsername: string | undefined;
  readonly userAddress: UserAddress;
  readonly tags: readonly string[];
  readonly details: Readonly<Record<string, readonly string[]>>;
  readonly timeZone: string;
  readonly locale: string;
  readonly invitationDisabled: boolean;
  readonly blocked: boolean;
  readonly verified: boolean;
  /** Until then (exclusive) they are sent pages of P1 alerts alone. */
  readonly mutedUntil?: Date;
  readonly createdAt: Date;
  readonly contacts: readonly Contact[];
  /** The codes that went out to contacts in the last hour or before, oldest first; absent: none. */
  readonly codesSent?: readonly CodeSending[];
  readonly notificationRules: readonly NotificationRule[];
  readonly version: Version;
}

/** What a team needs to know of a user. */
export type UserName = Pick<User, 'id' | 'username'>;

/** A user as callers name one. */
export type UserReference = { readonly id: string } | { readonly username: string };

/** What a path segment names: a user name always holds an `@`, an id never does. */
export function userReference(identifier: string): UserReference {
  return identifier.includes('@') ? { username: identifier.trim().toLowerCase() } : { id: identifier };
}

/** The state `next` of a user who was `present` until now: same person, next version. */
export const withNextVersion = (next: User, { id, version }: User): User => ({
  ...next,
  id,
  version: { ...version, n: version.n + 1 },
});

/** What other services learn of a user. */
export function userMessage(user: User): StateMessage<UserState> {
  const { id, username, fullName, role, timeZone, locale, blocked, mutedUntil, verified, version } = user;
  return {
    id,
    version,
    deleted: false,
    state: {
      id,
      username,
      fullName,
      role: role.id,
      timeZone,
      locale,
      blocked,
      ...(!verified && { unverified: true }),
      ...(mutedUntil !== undefined && { mutedUntil: mutedUntil.toISOString() }),
      contacts: user.contacts.map(contactState),
      notificationRules: user.notificationRules.map(notificationRuleState),
    },
  };
}
