/** Publishes the states of integrations. Every write does so soon after its commit; some must not be answered before (K2). */
export interface Announcer {
  /**
   * Resolves when the topic has the present state of all of `ids`.
   *
   * @throws UnavailableError when it cannot be published now.
   */
  publishNow(ids: readonly string[]): Promise<void>;
}
