import type { CreateUserBody } from '@tocsin/api';
import type { InvitationNotice } from '@tocsin/events';
import {
  DEFAULT_ACTION_TYPES,
  defaultNotificationRules,
  type DefaultRuleIds,
} from '../notification-rules/notification-rule.ts';
import type { Role } from '../roles/role.ts';
import { NO_ADDRESS, type User } from './user.ts';

/** The input of a new user besides the body. */
export interface NewUserFacts {
  readonly role: Role;
  /** For the zone and the locale where the body has none. */
  readonly account: { readonly timezone: string; readonly locale: string };
  readonly createdAt: Date;
  readonly newId: () => string;
  /** By default a new one. */
  readonly id?: string;
}

/** The fields of a user that a body gives them. */
export type UserProfile = Pick<
  User,
  | ('username' | 'fullName' | 'role' | 'skypeUsername' | 'userAddress' | 'tags' | 'details')
  | ('timeZone' | 'locale' | 'invitationDisabled' | 'mutedUntil')
>;

/** What a body says about a user, with the values of a new user for what it leaves out. */
export function profileOf(
  body: CreateUserBody,
  { account, role }: Pick<NewUserFacts, 'account' | 'role'>,
): UserProfile {
  return {
    username: body.username,
    fullName: body.fullName,
    role,
    skypeUsername: body.skypeUsername,
    userAddress: body.userAddress ?? NO_ADDRESS,
    tags: body.tags ?? [],
    details: body.details ?? {},
    timeZone: body.timeZone ?? account.timezone,
    locale: body.locale ?? account.locale,
    invitationDisabled: body.invitationDisabled ?? false,
    ...(body.mutedUntil && { mutedUntil: body.mutedUntil }),
  };
}

/** The user whom the body describes, with the contact and the rules that every new user has (U1). */
export function newUser(body: CreateUserBody, facts: NewUserFacts): User {
  const { createdAt, newId, id = newId() } = facts;
  const ruleIds = Object.fromEntries(
    DEFAULT_ACTION_TYPES.map((actionType) => [actionType, { rule: newId(), step: newId() }]),
  ) as Record<(typeof DEFAULT_ACTION_TYPES)[number], DefaultRuleIds>;
  return {
    id,
    ...profileOf(body, facts),
    blocked: false,
    verified: false,
    createdAt,
    contacts: [{ id: newId(), method: 'email', to: body.username, enabled: true }],
    notificationRules: defaultNotificationRules(body.username, ruleIds),
    version: { epoch: createdAt.getTime(), n: 1 },
  };
}

/** The sender of an invitation. */
export interface Inviter {
  /** The name of the key. */
  readonly name: string;
  /** The public URL of the installation. */
  readonly url: string;
}

/** The invitation of a new user. A repeat has the same id, so each user gets one (U11). */
export function invitation(user: User, { name, url }: Inviter, accountName: string): InvitationNotice {
  const { id, username, fullName, locale, createdAt } = user;
  return {
    kind: 'invitation',
    noticeId: id,
    userId: id,
    username,
    at: createdAt.toISOString(),
    to: username,
    fullName,
    locale,
    invitedBy: name,
    accountName,
    url,
  };
}
