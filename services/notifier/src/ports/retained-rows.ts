/** What is kept for a time only. */
export const KEPT = ['deliveries', 'notices', 'acts', 'codes', 'standings'] as const;
export type Kept = (typeof KEPT)[number];

/** Rows that are removed once they are old. */
export interface RetainedRows {
  /**
   * Removes some of what came to its end at `until` or before: messages, sent or not; pages whose steps are not repeated any
   * more; notices; answers that were taken; codes that expired; the standing of closed and deleted alerts. Answers how many it removed, or 0 once none is left.
   */
  remove(kind: Kept, until: Date): Promise<number>;
}
