/** Tells the other services what became of integrations. What it cannot tell now, it tells later by itself. */
export interface Announcer {
  /** Tells what is waiting to be told; never throws. */
  flush(): Promise<void>;
  /**
   * Resolves only when the present state of all of `ids` has been told (K2).
   *
   * @throws UnavailableError when that is not possible now.
   */
  publishNow(ids: readonly string[]): Promise<void>;
}
