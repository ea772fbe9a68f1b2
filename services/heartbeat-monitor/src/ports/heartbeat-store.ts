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

/** Which heartbeats expire. */
export interface Expiry {
  /** Those that are due by then, asked for again and again. */
  readonly dueBy: () => Date;
  readonly outages: readonly Outage[];
  readonly slowWrites?: SlowWrites | undefined;
  /** Called with heartbeats that have expired. */
  readonly onExpired: (expired: readonly Heartbeat[]) => void;
}

/**
 * Keeps heartbeats, and publishes the commands that open and close their alerts: each with the write that opens or closes it, and
 * those of one heartbeat in the order of these writes (H7). Every method throws UnavailableError while the database is away.
 */
export interface HeartbeatStore {
  /** False when the name is taken, exactly as it is written (H3). */
  insert(heartbeat: Heartbeat): Promise<boolean>;
  find(name: string): Promise<Heartbeat | undefined>;
  /** All, or those of a team, in the order of their creation (E7). */
  list(teamId?: string): Promise<readonly Heartbeat[]>;
  /** About how many bytes the heartbeats of a team have together. */
  bytesOfTeam(teamId: string): Promise<number>;
  /**
   * Writes a ping in one step where the heartbeat is waited for, is not due by `at`, and belongs to `teamId`, if that is given. Of two
   * pings the later stays. True: the ping is on disk. False: it may not be, and has to be written by {@link change}.
   */
  pingInTime(name: string, at: Date, teamId: string | undefined): Promise<boolean>;
  /**
   * Replaces the heartbeat by what `change` makes of it, of which nothing is written where that is its argument. No other
   * write comes in between; `change` may run several times, and what it throws is thrown.
   *
   * @returns the heartbeat as it is then; undefined when there is none.
   * @throws ContendedError where other writes of the heartbeat always come first.
   */
  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined>;
  /** As {@link change}, and the heartbeat is gone then. */
  remove(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined>;
  /** Notes that a monitor is at work; answers the outages after that. Of beats at once none is decided without the one before. */
  beat(beat: Beat): Promise<readonly Outage[]>;
  /**
   * Expires the heartbeats of `expiry`, until none is left or `signal` aborts. Several monitors may do so at once: each heartbeat
   * expires once.
   */
  expire(expiry: Expiry, signal: AbortSignal): Promise<void>;
  /** How many are due at `now`. */
  pending(now: Date): Promise<number>;
  /** When the next one is due. */
  nextDueAt(): Promise<Date | undefined>;
}
