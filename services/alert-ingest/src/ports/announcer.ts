/** Tells the other services what became of integrations, as every write of one does unless that is not possible now. */
export interface Announcer {
  /**
   * Resolves only when the present state of all of `ids` has been told (K2).
   *
   * @throws UnavailableError when that is not possible now.
   */
  publishNow(ids: readonly string[]): Promise<void>;
}
