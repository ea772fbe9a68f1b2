/** A time in which pings could not be taken, by the clock of the services (H2). */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** So many of the latest outages are remembered. What is forgotten counts as time in which pings were taken. */
export const MOST_OUTAGES = 20;

/** `before` with one more. Those that it touches become one with it: each of several monitors notes the same outage, in two beats. */
export function withOutage(before: readonly Outage[], { from, to }: Outage): readonly Outage[] {
  const apart = before.filter((other) => other.to < from);
  const touched = before.filter((other) => other.to >= from).map((other) => other.from.getTime());
  return [...apart, { from: new Date(Math.min(from.getTime(), ...touched)), to }].slice(-MOST_OUTAGES);
}
