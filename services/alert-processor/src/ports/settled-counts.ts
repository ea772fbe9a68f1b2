/** How many requests settled. */
export interface SettledCounts {
  /** Those settled at `instant` or later, counted up to 1 000 000. */
  countSince(instant: Date): Promise<number>;
}
