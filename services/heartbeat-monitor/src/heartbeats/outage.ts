/** A time in which Tocsin could not accept pings, by the clock of the services (H2). */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** A monitor reports this in each run of its task. */
export interface LivenessReport {
  /** By the clock of the service. */
  readonly now: Date;
  /** A longer silence since the last report of any monitor, in milliseconds by the database's clock, is an outage of Tocsin. */
  readonly silenceMs: number;
  /** The monitor refused a ping since its last report: an outage as well. */
  readonly refusedPings: boolean;
}

/** The last report before another one, of any monitor. */
export interface LastReport {
  /** By the clock of the service. */
  readonly at: Date;
  /** How long ago it is by the database's clock. */
  readonly silentMs: number;
  readonly outages: readonly Outage[];
}

/** How many of the latest outages are stored. Time in an older one counts as time in which Tocsin accepted pings. */
const MAX_OUTAGES = 20;

/** The latest outages after a report, the last one at the end. The first report of all ends one. */
export function outagesAfter(
  last: LastReport | undefined,
  { now, silenceMs, refusedPings }: LivenessReport,
): readonly Outage[] {
  if (last === undefined) return [{ from: now, to: now }];
  const { at, outages, silentMs } = last;
  // A wrong clock wrote an end later than now, and nothing would expire until then.
  const isOver = refusedPings || silentMs > silenceMs || outages.some(({ to }) => to > now);
  return isOver ? addOutage(outages, { from: at < now ? at : now, to: now }) : outages;
}

/** Merges outages that touch: several monitors report the same outage, each with its own instants. */
function addOutage(before: readonly Outage[], { from, to }: Outage): readonly Outage[] {
  const apart = before.filter((other) => other.to < from);
  const touched = before.filter((other) => other.to >= from).map((other) => other.from.getTime());
  return [...apart, { from: new Date(Math.min(from.getTime(), ...touched)), to }].slice(-MAX_OUTAGES);
}
