import type { UserState } from '@tocsin/contracts';

export type Contact = UserState['contacts'][number];

/** Why nothing goes to a contact that its user does not have. */
export const NO_CONTACT = 'the contact does not exist any more';

/** Why a contact may not be used, or undefined while it may. */
export function unusable(contact: Contact | undefined): string | undefined {
  if (contact === undefined) return NO_CONTACT;
  if (!contact.enabled) return 'the contact is disabled';
  if (contact.unverified === true) return 'the contact is not verified';
  return undefined;
}
