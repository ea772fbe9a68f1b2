import type { Clock } from '@tocsin/clock';
import type { TeamState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { ReplicaView } from '@tocsin/messaging';
import type { Heartbeat } from '../domain/heartbeat.ts';
import type { Outage } from '../domain/outage.ts';
import type { Gateway } from '../ports/gateway.ts';
import { ContendedError, type HeartbeatStore, type SlowWrites } from '../ports/heartbeat-store.ts';

export interface HeartbeatWatchPorts {
  readonly store: Pick<HeartbeatStore, 'beat' | 'expire' | 'nextDueAt' | 'pending'>;
  readonly gateway: Gateway;
  readonly teams: Pick<ReplicaView<TeamState>, 'get'>;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  /** Called with the number of heartbeats that expired. */
  readonly onExpired: (count: number) => void;
}

/** Where no monitor has written a beat for so long, the outage is ours (H2). Longer than a turn takes on a busy machine. */
const SILENCE_MS = 10_000;
/** The same for the first beat of a monitor: while others run, one of them has written a beat in this time. */
const SILENCE_AT_START_MS = 2_000;
/** How long a turn expires heartbeats: many of them must not make the next beat late. */
const EXPIRING_LIMIT_MS = 1_000;
/** Nothing is due by then. */
const NEVER = new Date(0);

/**
 * Expires heartbeats, which opens their alerts (H1). Any number of watches may run side by side, and each may die at any moment: the
 * first to come expires what is due.
 */
export class HeartbeatWatch {
  readonly #ports: HeartbeatWatchPorts;
  #begun = false;
  #refusedPings = false;
  #mayExpire = true;
  #outages: readonly Outage[] = [];
  /** What is due by then expires in the present turn. */
  #dueBy = NEVER;
  /** The changes of heartbeats that are under way, and when the request of each arrived, the first one first. */
  readonly #changes = new Set<{ readonly name: string; readonly at: Date }>();

  constructor(ports: HeartbeatWatchPorts) {
    this.#ports = ports;
  }

  /**
   * Runs `change`, by which a request that arrived at `at` changes the heartbeat `name`. Until it is done, the heartbeat expires
   * only if it was due by `at`. Where `change` fails because the database is away, that is an outage: the sender was not silent (H2).
   *
   * @throws what `change` throws.
   */
  async track<T>(name: string, at: Date, change: () => Promise<T>): Promise<T> {
    const tracked = { name, at };
    this.#changes.add(tracked);
    try {
      return await change();
    } catch (error) {
      // A ContendedError: other changes of the heartbeat always came first. The database is there, and takes other pings.
      if (error instanceof UnavailableError && !(error instanceof ContendedError)) this.#refuse();
      throw error;
    } finally {
      this.#changes.delete(tracked);
    }
  }

  /**
   * Expires what is due, until `signal` aborts. Nothing expires while pings cannot come or the database is away, nor for one interval
   * afterwards (H2).
   *
   * @throws UnavailableError while the database is away; the next turn goes on.
   */
  async turn(signal?: AbortSignal): Promise<void> {
    // Read before the question: if this process stands still meanwhile, nothing more becomes due.
    const now = this.#ports.clock.now();
    const takesPings = await this.#ports.gateway.takesPings();
    this.#say(takesPings);
    if (takesPings) await this.#expire(now, signal);
    else this.#refuse();
  }

  /** How many heartbeats are due. */
  pending(): Promise<number> {
    return this.#ports.store.pending(this.#ports.clock.now());
  }

  nextDueAt(): Promise<Date | undefined> {
    return this.#ports.store.nextDueAt();
  }

  /** A ping could not be taken: nothing more expires before the next beat, which makes an outage of it. */
  #refuse(): void {
    this.#refusedPings = true;
    this.#dueBy = NEVER;
  }

  async #expire(now: Date, stop: AbortSignal | undefined): Promise<void> {
    const { clock, store } = this.#ports;
    const began = clock.now().getTime();
    await this.#beat(now);
    if (this.#refusedPings) return;
    // A ping waits until the write before it is done, and then for its own, here or in another monitor: for two writes that are as
    // slow as a beat.
    const dueBy = new Date(now.getTime() - Math.max(0, clock.now().getTime() - began));
    this.#dueBy = dueBy;
    const signals = [AbortSignal.timeout(EXPIRING_LIMIT_MS), ...(stop === undefined ? [] : [stop])];
    await store.expire(
      {
        dueBy: () => this.#dueBy,
        outages: this.#outages,
        slowWrites: this.#writesAt(dueBy),
        onExpired: (expired) => {
          this.#note(expired);
        },
      },
      AbortSignal.any(signals),
    );
  }

  #note(expired: readonly Heartbeat[]): void {
    const { logger, onExpired, teams } = this.#ports;
    onExpired(expired.length);
    for (const { name, ownerTeamId } of expired)
      if (ownerTeamId === undefined || teams.get(ownerTeamId) === undefined)
        logger.warn({ heartbeat: name, ownerTeamId }, 'a heartbeat without a team is expired: nobody is paged');
  }

  /** The heartbeats that requests of this process are changing. A ping that has arrived counts, however long its write takes. */
  #writesAt(dueBy: Date): SlowWrites | undefined {
    const [first] = this.#changes;
    if (first === undefined) return undefined;
    const names = new Set([...this.#changes].map(({ name }) => name));
    return { names: [...names], by: first.at < dueBy ? first.at : dueBy };
  }

  async #beat(now: Date): Promise<void> {
    const { store, logger } = this.#ports;
    const refusedPings = this.#refusedPings;
    this.#refusedPings = false;
    try {
      const silenceMs = this.#begun ? SILENCE_MS : SILENCE_AT_START_MS;
      const outages = await this.#dated(now, await store.beat({ now, silenceMs, refusedPings }));
      const resumedAt = resumedAtOf(outages);
      if (this.#begun && resumedAt > resumedAtOf(this.#outages))
        logger.warn({ resumedAt }, 'pings could not be taken: no heartbeat expires for one interval');
      this.#begun = true;
      this.#outages = outages;
    } catch (error) {
      // The database was away, and other monitors may have refused pings meanwhile.
      this.#refuse();
      throw error;
    }
  }

  /**
   * The outages that a beat of `now` answered. If that beat ended one, this process may have stood still since, so a second beat
   * dates the end by the present time.
   */
  async #dated(now: Date, outages: readonly Outage[]): Promise<readonly Outage[]> {
    if (resumedAtOf(outages) < now) return outages;
    const { store, clock } = this.#ports;
    return store.beat({ now: clock.now(), silenceMs: SILENCE_MS, refusedPings: true });
  }

  #say(takesPings: boolean): void {
    if (takesPings === this.#mayExpire) return;
    this.#mayExpire = takesPings;
    const { logger } = this.#ports;
    if (takesPings) logger.warn({}, 'the gateway takes pings again');
    else logger.warn({}, 'the gateway takes no pings: no heartbeat expires until it does');
  }
}

const resumedAtOf = (outages: readonly Outage[]): Date => outages.at(-1)?.to ?? new Date(0);
