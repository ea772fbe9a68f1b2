import { formatInstant } from '@tocsin/contracts';
import type { User } from '../domain/user.ts';

/** A user as answers show one (part 3, 2.1); `contacts` adds what `expand=contact` asks for. */
export function userView(user: User, { contacts }: { readonly contacts: boolean }): Readonly<Record<string, unknown>> {
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
    createdAt: formatInstant(user.createdAt),
    ...(contacts ? { userContacts: user.contacts.map(contactView) } : {}),
  };
}

const contactView = ({ id, method, to, enabled }: User['contacts'][number]) => ({
  to,
  id,
  contactMethod: method,
  enabled,
});
