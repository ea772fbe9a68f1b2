import type { Decision } from '@tocsin/contracts';
import type { User } from './user.ts';

/** A mail that reached an address of a user. */
export interface MailReceipt {
  readonly userId: string;
  readonly to: string;
}

/** The mails of which a decision says that they were delivered; other decisions have none. */
export function mailReceipts({ stage, verdicts }: Decision): readonly MailReceipt[] {
  if (stage !== 'deliver') return [];
  return verdicts.flatMap(({ outcome, facts: { userId, method, to } = {} }) =>
    outcome === 'sent' && method === 'email' && typeof userId === 'string' && typeof to === 'string'
      ? [{ userId, to }]
      : [],
  );
}

/** Whether a mail proves that the user can be reached under their user name: that verifies them (U11). */
export const proves = ({ userId, to }: MailReceipt, { id, username }: Pick<User, 'id' | 'username'>): boolean =>
  userId === id && to.trim().toLowerCase() === username;
