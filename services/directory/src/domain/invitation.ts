import type { InvitationNotice } from '@tocsin/contracts';
import type { User } from './user.ts';

/** Who invites somebody, and to where. */
export interface Inviter {
  /** The name of the key. */
  readonly name: string;
  /** Where the installation is reached. */
  readonly url: string;
}

/** The invitation of a new user: one for each user, however often it is ordered (U11). */
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
