import { isDeepStrictEqual } from 'node:util';
import type { ImportUserBody } from '@tocsin/api';
import { ConflictError, InvalidError, type Put } from '@tocsin/core';
import { FULL, taken } from '../contacts/operations.ts';
import { type ContactsFault, type ListedContact, withContacts } from '../contacts/user-contacts.ts';
import { excess } from '../notification-rules/notification-rule.ts';
import { isOwner } from '../roles/role.ts';
import { newUser, profileOf, type UserProfile } from './new-user.ts';
import { lastOwnerStays, type UsersDependencies } from './operations.ts';
import type { User } from './user.ts';

/** Imports users with their ids (I4). */
export class UserImports {
  readonly #ports: Omit<UsersDependencies, 'scheduling'>;

  constructor(ports: Omit<UsersDependencies, 'scheduling'>) {
    this.#ports = ports;
  }

  /**
   * Creates or replaces the user who has this id, with all their contacts that are no devices. No message is sent to them.
   *
   * @throws ConflictError when another user has the user name or the id of a contact, or an address is in the list twice.
   * @throws NotFoundError when the role does not exist.
   * @throws InvalidError when the last owner of the account would be none, there are too many contacts of a method, or their addresses make
   *   the notification rules too long.
   * @throws UnavailableError where the role is another than before, and gateways do not know of it yet (K21).
   */
  async put(id: string, body: ImportUserBody): Promise<Put<User>> {
    const { account, clock, newId, roles, users } = this.#ports;
    const wanted = { id, username: body.username, role: await roles.named(body.role) };
    const createdAt = clock.now();
    const put = await users.put(wanted, (present, { isLastOwner, role }) => {
      const facts = { role, account, createdAt, newId, id };
      const profile = present === undefined ? newUser(body, facts) : withProfile(present, profileOf(body, facts));
      if (isLastOwner && !isOwner(role)) throw lastOwnerStays('role', profile, 'needs that role');
      const user = withListedContacts(profile, body.contacts ?? [], newId);
      return isDeepStrictEqual(user, present) && present !== undefined ? present : user;
    });
    if (put.present !== undefined && put.present.role.id !== put.entity.role.id) await users.publishNow(id);
    return put;
  }
}

/** No mail has reached another user name yet (U11). */
function withProfile({ mutedUntil: _, ...user }: User, profile: UserProfile): User {
  return { ...user, ...profile, verified: user.verified && profile.username === user.username };
}

function withListedContacts(user: User, contacts: readonly ListedContact[], newId: () => string): User {
  const changed = withContacts(user, contacts, newId);
  if ('kind' in changed) throw refusal(changed, contacts);
  const tooMuch = excess(changed.notificationRules);
  if (tooMuch !== undefined) throw InvalidError.about('contacts', tooMuch);
  return changed;
}

function refusal({ kind, place }: ContactsFault, contacts: readonly ListedContact[]): Error {
  const { id = '', method = '', to = '' } = contacts[place] ?? {};
  switch (kind) {
    case 'same-address':
      return taken(method, to);
    case 'id-of-device':
      return new ConflictError(`Contact with id [${id}] already exists.`);
    case 'full':
      return InvalidError.ofFields({ [`contacts[${place}].method`]: FULL });
  }
}
