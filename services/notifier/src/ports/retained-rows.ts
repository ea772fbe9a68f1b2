/** What is kept for a time only. */
export const KEPT = ['deliveries', 'notices', 'standings'] as const;
export type Kept = (typeof KEPT)[number];

/** Rows that are removed once they are old. */
export interface RetainedRows {
  /**
   * Removes a lot of what came to its end at `until` or before: messages sent or not, pages whose steps are not repeated any
   * more, notices, the standing of alerts that are closed or deleted. Answers how many; 0 when none is left.
   */
  remove(kind: Kept, until: Date): Promise<number>;
}
