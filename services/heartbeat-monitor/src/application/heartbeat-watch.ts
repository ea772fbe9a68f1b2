import { withTimeout, type Clock } from '@tocsin/clock';
import { UnavailableError } from '@tocsin/errors';
import type { Outage } from '../domain/outage.ts';
import type { Gateway } from '../ports/gateway.ts';
import { ContendedError, type HeartbeatStore, type SlowWrites } from '../ports/heartbeat-store.ts';
import type { AlertPublisher } from './alert-publisher.ts';

export interface HeartbeatWatchPorts {
  readonly store: HeartbeatStore;
  readonly gateway: Gateway;
  readonly alerts: Pick<AlertPublisher, 'publishAll'>;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  /** Called with the number of heartbeats that expired. */
  readonly onExpired: (count: number) => void;
}

/** Where no monitor has written a beat for so long, the outage is ours (H2). Longer than a turn takes on a busy machine. */
const SILENCE_MS = 10_000;
/** The same for the first beat of a monitor: while others run, one of them has written a beat in this time. */
const SILENCE_AT_START_MS = 2_000;
/** How long a turn waits for publications: much to publish must not make the next beat late. */
const PUBLISHED_WITHIN_MS = 1_000;

/**
 * Expires heartbeats and has their alerts opened and closed (H1). Any number of watches may run side by side, and each may die at any
 * moment: the first to come expires what is due.
 */
export class HeartbeatWatch {
  readonly #ports: HeartbeatWatchPorts;
  #begun = false;
  #refusedPings = false;
  #mayExpire = true;
  #outages: readonly Outage[] = [];
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
      if (error instanceof UnavailableError && !(error instanceof ContendedError)) this.#refusedPings = true;
      throw error;
    } finally {
      this.#changes.delete(tracked);
    }
  }

  /**
   * Expires what is due and publishes what is not published yet, which may go on after the turn. Nothing expires while pings
   * cannot come or the database is away, nor for one interval afterwards (H2).
   *
   * @throws UnavailableError while the database or Kafka is away; the next turn goes on.
   */
  async turn(): Promise<void> {
    // Read before the question: if this process stands still meanwhile, nothing more becomes due.
    const now = this.#ports.clock.now();
    const takesPings = await this.#ports.gateway.takesPings();
    this.#say(takesPings);
    if (takesPings) await this.#expire(now);
    else this.#refusedPings = true;
    // It goes on in any case. Its failure is that of the turn that waits for it.
    await withTimeout(this.#ports.alerts.publishAll(), PUBLISHED_WITHIN_MS, () => undefined);
  }

  /** How many heartbeats are due, or have steps to publish. */
  pending(): Promise<number> {
    return this.#ports.store.pending(this.#ports.clock.now(), this.#outages);
  }

  nextDueAt(): Promise<Date | undefined> {
    return this.#ports.store.nextDueAt(this.#outages);
  }

  async #expire(now: Date): Promise<void> {
    const { clock, store, onExpired } = this.#ports;
    const began = clock.now().getTime();
    await this.#beat(now);
    // The next beat makes an outage of it.
    if (this.#refusedPings) return;
    // A ping waits until the write before it is done, and then for its own, here or in another monitor: for two writes that are as
    // slow as a beat.
    const dueBy = new Date(now.getTime() - Math.max(0, clock.now().getTime() - began));
    const count = await store.expire(dueBy, this.#outages, this.#writesAt(dueBy));
    if (count > 0) onExpired(count);
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
      this.#refusedPings = true;
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
