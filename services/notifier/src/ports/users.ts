import type { UserState } from '@tocsin/contracts';

/** The users as the notifier knows them. */
export interface Users {
  get(id: string): UserState | undefined;
  /** Whether the user is known to be deleted; of one that was never heard of nobody knows. */
  isDeleted(id: string): boolean;
  /** Asks the owner for one that is not known yet. @throws UnavailableError when the owner cannot be asked. */
  fetch(index: 'id', value: string): Promise<UserState | undefined>;
}
