/** A time in which pings could not be taken, by the clock of the services (H2). */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** So many of the latest outages are remembered. What is forgotten counts as time in which pings were taken. */
export const MOST_OUTAGES = 20;
