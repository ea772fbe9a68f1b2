import { UnavailableError } from '@tocsin/errors';
import type { Heartbeat } from '../domain/heartbeat.ts';
import type { Beat, Outage } from '../domain/outage.ts';

/** A change was refused because other changes of the same heartbeat came first, again and again. The database is there. */
export class ContendedError extends UnavailableError {}

/** The heartbeats of these names expire only if they were due at `by`. */
export interface SlowWrites {
  readonly names: readonly string[];
  readonly by: Date;
}

/** Keeps heartbeats. Every method throws UnavailableError while the database is away. */
export interface HeartbeatStore {
  /** False when the name is taken, exactly as it is written (H3). */
  insert(heartbeat: Heartbeat): Promise<boolean>;
  /** Never a deleted one. */
  find(name: string): Promise<Heartbeat | undefined>;
  /** All but deleted ones, or of these those of a team, in the order of their creation (E7). */
  list(teamId?: string): Promise<readonly Heartbeat[]>;
  /** About how many bytes the heartbeats of a team have together. */
  bytesOfTeam(teamId: string): Promise<number>;
  /**
   * Writes a ping in one step if the heartbeat is waited for and belongs to `teamId`, if that is given; false otherwise, and
   * nothing is written. Of two pings the later stays. Resolves when the ping is on disk.
   */
  pingWaitedFor(name: string, at: Date, teamId: string | undefined): Promise<boolean>;
  /**
   * Replaces the heartbeat by what `change` makes of it, of which nothing is written where that is its argument. No other
   * write comes in between; `change` may run several times, and what it throws is thrown.
   *
   * @returns the heartbeat as it is then; undefined when there is none.
   * @throws ContendedError where other writes of the heartbeat always come first.
   */
  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined>;
  /** Notes that a monitor is at work; answers the outages after that. Of beats at once none is decided without the one before. */
  beat(beat: Beat): Promise<readonly Outage[]>;
  /**
   * Expires each that is due at `now`, those of `writes` by their own time; answers how many. Several monitors may do so at once:
   * each expires once.
   */
  expire(now: Date, outages: readonly Outage[], writes?: SlowWrites): Promise<number>;
  /** At most `limit` with steps that are not told yet, those first that wait for longest; deleted ones as well. */
  untold(limit: number): Promise<readonly Heartbeat[]>;
  /** Notes of each that its first `steps` steps are told. Deleted ones with nothing more to tell are gone then. */
  markTold(told: readonly { readonly id: string; readonly steps: number }[]): Promise<void>;
  /** How many are due at `now`, and how many have steps to tell, together. */
  pending(now: Date, outages: readonly Outage[]): Promise<number>;
  /** When the next one is due. */
  nextDueAt(outages: readonly Outage[]): Promise<Date | undefined>;
}
