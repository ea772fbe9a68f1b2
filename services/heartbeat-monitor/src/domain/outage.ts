/** A time in which pings could not be taken, by the clock of the services (H2). */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** What a monitor says in each of its turns. */
export interface Beat {
  /** By the clock of the service. */
  readonly now: Date;
  /** A longer silence since the last beat of any monitor, in milliseconds by the database's clock, is an outage of ours. */
  readonly silenceMs: number;
  /** A ping could not be taken since the last beat: an outage as well. */
  readonly refusedPings: boolean;
}

/** The last beat before another one, of whatever monitor. */
export interface LastBeat {
  /** By the clock of the service. */
  readonly at: Date;
  /** How long ago it is by the database's clock. */
  readonly silentMs: number;
  readonly outages: readonly Outage[];
}

/** How many of the latest outages are remembered. What is forgotten counts as time in which pings were taken. */
const MOST_OUTAGES = 20;

/** The latest outages after a beat, the last one at the end. The first beat of all ends one. */
export function outagesAfter(last: LastBeat | undefined, { now, silenceMs, refusedPings }: Beat): readonly Outage[] {
  if (last === undefined) return [{ from: now, to: now }];
  const { at, outages, silentMs } = last;
  // An end later than now was written by a wrong clock, and nothing would expire until then.
  const isOver = refusedPings || silentMs > silenceMs || outages.some(({ to }) => to > now);
  return isOver ? withOutage(outages, { from: at < now ? at : now, to: now }) : outages;
}

/** `before` with one more. Those that it touches become one with it: each of several monitors notes the same outage, in two beats. */
function withOutage(before: readonly Outage[], { from, to }: Outage): readonly Outage[] {
  const apart = before.filter((other) => other.to < from);
  const touched = before.filter((other) => other.to >= from).map((other) => other.from.getTime());
  return [...apart, { from: new Date(Math.min(from.getTime(), ...touched)), to }].slice(-MOST_OUTAGES);
}
