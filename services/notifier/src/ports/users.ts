import type { UserState } from '@tocsin/contracts';

/** The users as the notifier knows them. */
export interface Users {
  get(id: string): UserState | undefined;
  /** Asks the owner for one that is not known yet. @throws UnavailableError when the owner cannot be asked. */
  fetch(index: 'id', value: string): Promise<UserState | undefined>;
}
