import { type Clock, UnavailableError } from '@tocsin/core';
import type { TeamState } from '@tocsin/events';
import type { InternalClient } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { ServiceContext } from '@tocsin/service';
import { ContendedError, type Heartbeat } from './heartbeat.ts';
import type { MonitorLivenessStore } from './liveness-store.ts';
import type { Outage } from './outage.ts';
import type { HeartbeatStore, SlowWrites } from './store.ts';

export interface HeartbeatTaskOptions {
  readonly store: Pick<HeartbeatStore, 'expire' | 'nextDueAt' | 'pending'>;
  readonly liveness: Pick<MonitorLivenessStore, 'report'>;
  /** Whether the gateway accepts pings. Never rejects. */
  readonly acceptsPings: () => Promise<boolean>;
  readonly teams: Pick<ReplicaView<TeamState>, 'get'>;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  /** Called with the number of heartbeats that expired. */
  readonly onExpired: (count: number) => void;
}

/** A heartbeat that is due expires within a second. */
const EVERY_MS = 500;
/** Where no monitor has reported for so long, that was an outage of Tocsin (H2). Longer than a run takes on a busy machine. */
const SILENCE_MS = 10_000;
/** The same for the first report of a monitor: while others run, one of them has reported in this time. */
const SILENCE_AT_START_MS = 2_000;
/** How long a run expires heartbeats: many of them must not delay the next report. */
const EXPIRING_LIMIT_MS = 1_000;
/** Nothing is due by then. */
const NEVER = new Date(0);

/**
 * Expires heartbeats, which opens their alerts (H1). Any number of monitors may run this task at once, and each may die at any
 * moment: the first one expires a heartbeat that is due.
 */
export class HeartbeatTask {
  readonly #options: HeartbeatTaskOptions;
  #hasReported = false;
  #refusedPings = false;
  #acceptsPings = true;
  #outages: readonly Outage[] = [];
  /** Heartbeats that are due by then expire in the present run. */
  #dueBy = NEVER;
  /** The changes of heartbeats that are under way, and when the request of each arrived, in the order of arrival. */
  readonly #changes = new Set<{ readonly name: string; readonly at: Date }>();

  constructor(options: HeartbeatTaskOptions) {
    this.#options = options;
  }

  /**
   * Runs `change`, by which a request that arrived at `at` changes the heartbeat `name`. Until it is done, the heartbeat expires
   * only if it was due by `at`. Where `change` fails because the database is unavailable, that is an outage: the sender was not
   * silent (H2).
   *
   * @throws what `change` throws.
   */
  async track<T>(name: string, at: Date, change: () => Promise<T>): Promise<T> {
    const tracked = { name, at };
    this.#changes.add(tracked);
    try {
      return await change();
    } catch (error) {
      // With a ContendedError the database is there: other changes of the heartbeat were written first, again and again.
      if (error instanceof UnavailableError && !(error instanceof ContendedError)) this.#recordRefusal();
      throw error;
    } finally {
      this.#changes.delete(tracked);
    }
  }

  /**
   * Expires the heartbeats that are due, until `signal` aborts. Nothing expires while the gateway accepts no pings or the database
   * is unavailable, nor for one interval afterwards (H2).
   *
   * @throws UnavailableError while the database is unavailable; the next run goes on.
   */
  async activate(signal?: AbortSignal): Promise<void> {
    // Read before the request: if this process freezes meanwhile, nothing more becomes due.
    const now = this.#options.clock.now();
    const acceptsPings = await this.#options.acceptsPings();
    this.#logChange(acceptsPings);
    if (acceptsPings) await this.#expire(now, signal);
    else this.#recordRefusal();
  }

  /** How many heartbeats are due. */
  pending(): Promise<number> {
    return this.#options.store.pending(this.#options.clock.now());
  }

  nextDueAt(): Promise<Date | undefined> {
    return this.#options.store.nextDueAt();
  }

  /** This process refused a ping: nothing more expires before the next report, which says so and so makes an outage of it. */
  #recordRefusal(): void {
    this.#refusedPings = true;
    this.#dueBy = NEVER;
  }

  async #expire(now: Date, stop: AbortSignal | undefined): Promise<void> {
    const { clock, store } = this.#options;
    const began = clock.now().getTime();
    await this.#report(now);
    if (this.#refusedPings) return;
    // A ping waits until the write before it is done, and then for its own, here or in another monitor: for two writes that are as
    // slow as a report.
    const dueBy = new Date(now.getTime() - Math.max(0, clock.now().getTime() - began));
    this.#dueBy = dueBy;
    const signals = [AbortSignal.timeout(EXPIRING_LIMIT_MS), ...(stop === undefined ? [] : [stop])];
    await store.expire(
      {
        dueBy: () => this.#dueBy,
        outages: this.#outages,
        slowWrites: this.#writesAt(dueBy),
        onExpired: (expired) => {
          this.#recordExpired(expired);
        },
      },
      AbortSignal.any(signals),
    );
  }

  #recordExpired(expired: readonly Heartbeat[]): void {
    const { logger, onExpired, teams } = this.#options;
    onExpired(expired.length);
    for (const { name, ownerTeamId } of expired)
      if (ownerTeamId === undefined || teams.get(ownerTeamId) === undefined)
        logger.warn({ heartbeat: name, ownerTeamId }, 'a heartbeat without a team expired: no user is paged');
  }

  /** The heartbeats that requests of this process are changing. A ping counts from its arrival, however long its write takes. */
  #writesAt(dueBy: Date): SlowWrites | undefined {
    const [first] = this.#changes;
    if (first === undefined) return undefined;
    const names = new Set([...this.#changes].map(({ name }) => name));
    return { names: [...names], by: first.at < dueBy ? first.at : dueBy };
  }

  async #report(now: Date): Promise<void> {
    const { liveness, logger } = this.#options;
    const refusedPings = this.#refusedPings;
    this.#refusedPings = false;
    try {
      const silenceMs = this.#hasReported ? SILENCE_MS : SILENCE_AT_START_MS;
      const outages = await this.#endNow(now, await liveness.report({ now, silenceMs, refusedPings }));
      const resumedAt = endOfLast(outages);
      if (this.#hasReported && resumedAt > endOfLast(this.#outages))
        logger.warn({ resumedAt }, 'an outage of Tocsin has ended: no heartbeat expires for one interval');
      this.#hasReported = true;
      this.#outages = outages;
    } catch (error) {
      // The database was unavailable, and other monitors may have refused pings meanwhile.
      this.#recordRefusal();
      throw error;
    }
  }

  /**
   * The outages after a report of `now`. If that report ended one, this process may have been frozen since, so a second report sets
   * the end to the present time.
   */
  async #endNow(now: Date, outages: readonly Outage[]): Promise<readonly Outage[]> {
    if (endOfLast(outages) < now) return outages;
    const { liveness, clock } = this.#options;
    return liveness.report({ now: clock.now(), silenceMs: SILENCE_MS, refusedPings: true });
  }

  #logChange(acceptsPings: boolean): void {
    if (acceptsPings === this.#acceptsPings) return;
    this.#acceptsPings = acceptsPings;
    const { logger } = this.#options;
    if (acceptsPings) logger.warn({}, 'the gateway accepts pings again');
    else logger.warn({}, 'the gateway accepts no pings: no heartbeat expires until it does');
  }
}

const endOfLast = (outages: readonly Outage[]): Date => outages.at(-1)?.to ?? new Date(0);

/** Starts the task, and lists it in the activity of the process. */
export function addHeartbeatTask({ activity, tasks }: ServiceContext, task: HeartbeatTask): void {
  activity.add('heartbeats', { pending: () => task.pending(), nextDueAt: () => task.nextDueAt() });
  tasks.add({
    name: 'heartbeats',
    everyMs: EVERY_MS,
    activate: (signal) => task.activate(signal),
    runsWhenClockMoves: true,
    oldestDueAt: () => task.nextDueAt(),
  });
}

/** Asks the gateway over HTTP, as a sender does, whether it accepts requests. Never rejects. */
export const gatewayAcceptsPings =
  (client: Pick<InternalClient, 'get'>): (() => Promise<boolean>) =>
  async () => {
    try {
      return (await client.get('/healthz')).status === 200;
    } catch {
      return false;
    }
  };
