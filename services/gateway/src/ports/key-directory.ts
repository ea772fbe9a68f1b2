import type { IntegrationState } from '@tocsin/contracts';

/** Knows every integration that has a key. */
export interface KeyDirectory {
  /**
   * The integration one of whose keys, present or replaced, has this SHA-256, enabled or not. One that was created a moment ago is found as well (E11).
   *
   * @throws UnavailableError when it is not known here and its owner cannot be asked, or is asked too much already: in all, or
   *   for this address; ThrottledError when the address tried too many keys that do not exist.
   */
  find(keyHash: string, address: string): Promise<IntegrationState | undefined>;
}
