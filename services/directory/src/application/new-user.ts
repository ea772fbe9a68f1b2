import type { CreateUserBody } from '@tocsin/contracts';
import { defaultNotificationRules, DEFAULT_ACTION_TYPES, type DefaultRuleIds } from '../domain/notification-rule.ts';
import type { Role } from '../domain/role.ts';
import { NO_ADDRESS, type User } from '../domain/user.ts';

/** What a new user needs beside the body. */
export interface NewUserFacts {
  readonly role: Role;
  /** For the zone and the locale where the body has none. */
  readonly account: { readonly timezone: string; readonly locale: string };
  readonly createdAt: Date;
  readonly newId: () => string;
}

/** The user whom the body describes, with the contact and the rules that every new user has (U1). */
export function newUser(body: CreateUserBody, { role, account, createdAt, newId }: NewUserFacts): User {
  const ruleIds = Object.fromEntries(
    DEFAULT_ACTION_TYPES.map((actionType) => [actionType, { rule: newId(), step: newId() }]),
  ) as Record<(typeof DEFAULT_ACTION_TYPES)[number], DefaultRuleIds>;
  return {
    id: newId(),
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
    blocked: false,
    verified: false,
    ...(body.mutedUntil && { mutedUntil: body.mutedUntil }),
    createdAt,
    contacts: [{ id: newId(), method: 'email', to: body.username, enabled: true }],
    notificationRules: defaultNotificationRules(body.username, ruleIds),
    version: { epoch: createdAt.getTime(), n: 1 },
  };
}
