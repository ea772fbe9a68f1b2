import type { Kept } from '../domain/retention.ts';

/** What is kept for a time only. */
export interface RetainedRows {
  /** The earliest close of a closed alert, settlement of a request, or removal of an alert; undefined where there is none. */
  oldest(kind: Kept): Promise<Date | undefined>;
  /**
   * Removes a lot of what is of `until` or earlier, and answers of how many; 0 where there is none. An alert goes with what
   * belongs to it, at `now`. A process that dies on the way leaves what the next one removes.
   */
  remove(kind: Kept, until: Date, now: Date): Promise<number>;
}
