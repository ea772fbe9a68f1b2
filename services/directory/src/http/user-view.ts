import { formatInstant } from '@tocsin/contracts';
import { disabledReason, type Contact } from '../domain/contact.ts';
import type { ListedUser } from '../ports/user-store.ts';

/** A user as answers show one (part 3, 2.1); `contacts` adds what `expand=contact` asks for. */
export function userView(
  user: ListedUser,
  { contacts }: { readonly contacts: boolean },
): Readonly<Record<string, unknown>> {
  return {
    id: user.id,
    username: user.username,
    fullName: user.fullName,
    role: user.role,
    ...(user.skypeUsername === undefined ? {} : { skypeUsername: user.skypeUsername }),
    userAddress: user.userAddress,
    tags: user.tags,
    details: user.details,
    timeZone: user.timeZone,
    locale: user.locale,
    blocked: user.blocked,
    verified: user.verified,
    ...(user.mutedUntil === undefined ? {} : { mutedUntil: formatInstant(user.mutedUntil) }),
    createdAt: formatInstant(user.createdAt),
    ...(contacts ? { userContacts: user.contacts.map(contactView) } : {}),
  };
}

function contactView(contact: Contact): Readonly<Record<string, unknown>> {
  const { id, method, to, enabled } = contact;
  const reason = disabledReason(contact);
  return { to, id, contactMethod: method, enabled, ...(reason === undefined ? {} : { disabledReason: reason }) };
}
