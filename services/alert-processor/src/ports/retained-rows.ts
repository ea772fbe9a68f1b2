import type { Kept } from '../domain/retention.ts';

/** What is kept for a limited time. */
export interface RetainedRows {
  /**
   * The earliest close of a closed alert, settlement of a request, or removal of an alert; undefined if there is none.
   */
  oldest(kind: Kept): Promise<Date | undefined>;
  /**
   * Removes a lot of what dates from `until` or earlier, and returns how many; 0 if none is left. An alert is removed
   * at `now` with all that belongs to it. If the process dies on the way, the next call removes the rest.
   */
  remove(kind: Kept, until: Date, now: Date): Promise<number>;
}
