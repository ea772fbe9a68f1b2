import type { NoticeCommand, StateMessage, UserState, Version } from '@tocsin/events';
import { NotFoundError } from '@tocsin/core';
import { type Contact, contactState } from '../contacts/contact.ts';
import type { CodeSending } from '../contacts/verification-code.ts';
import { type NotificationRule, notificationRuleState } from '../notification-rules/notification-rule.ts';
import type { Role } from '../roles/role.ts';

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

/** The fields of a user that a team needs. */
export type UserName = Pick<User, 'id' | 'username'>;

/** A user as callers name one. */
export type UserReference = { readonly id: string } | { readonly username: string };

/** The user in a path: a user name always contains an `@`, an id never does. */
export function userReference(identifier: string): UserReference {
  return identifier.includes('@') ? { username: identifier.trim().toLowerCase() } : { id: identifier };
}

/** `identifier` is an id or a user name. */
export const unknownUser = (identifier: string): NotFoundError =>
  new NotFoundError(`User does not exist with id or username: ${identifier}`);

/** The result of a change of one user. Nothing is written where `user` is the same object. */
export interface UserChange<T> {
  readonly user: User;
  /** Sent if and only if the change is committed, also where `user` is the same object. */
  readonly notices?: readonly NoticeCommand[];
  /** Whether the caller chose ids of contacts, rules or steps: refused with 409 where another user has one (I1). */
  readonly hasIdsOfCaller?: true;
  readonly answer: T;
}

/** The input of a change besides the user. */
export interface UserFacts {
  /** Whether no other user owns the account. */
  readonly isLastOwner: boolean;
}

/** A batch of users in the order of their ids. */
export interface UserBatch {
  /** Ids of the users to choose from; undefined: all users. */
  readonly among: readonly string[] | undefined;
  /** Exclusive; undefined: from the first on. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The state `next` of a user who was `present` until now: same person, next version. */
export const withNextVersion = (next: User, { id, version }: User): User => ({
  ...next,
  id,
  version: { ...version, n: version.n + 1 },
});

/** The state of a user on `users.v1`. */
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
