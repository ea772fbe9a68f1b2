/** What alerts say, as their owner knows it: the notifier keeps no word of them (A6). */
export interface AlertMessages {
  /** Undefined where there is no such alert, or its owner cannot be asked. Never rejects. */
  messageOf(alertId: string): Promise<string | undefined>;
}
