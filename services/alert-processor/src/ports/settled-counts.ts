/** Counts settled requests. */
export interface SettledCounts {
  /** The requests that settled at `instant` or later, counted up to 1 000 000. */
  countSince(instant: Date): Promise<number>;
}
