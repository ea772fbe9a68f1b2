import { withTimeout, type Clock } from '@tocsin/clock';
import { AlertCommands, type TeamState } from '@tocsin/contracts';
import type { Publisher, ReplicaView } from '@tocsin/messaging';
import { orderOf } from '../domain/alert-orders.ts';
import type { Heartbeat } from '../domain/heartbeat.ts';
import type { Outage } from '../domain/outage.ts';
import type { Gateway } from '../ports/gateway.ts';
import type { HeartbeatStore } from '../ports/heartbeat-store.ts';

export interface HeartbeatWatchPorts {
  readonly store: HeartbeatStore;
  readonly gateway: Gateway;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly teams: Pick<ReplicaView<TeamState>, 'get'>;
  readonly clock: Clock;
  /** A UUID of a step of a heartbeat, the same each time. */
  readonly alertIdOf: (heartbeatId: string, step: number) => string;
  readonly logger: { warn(fields: object, message: string): void };
  /** Hears how many expired. */
  readonly onExpired: (count: number) => void;
}

/** When no monitor has beaten for so many milliseconds, the outage is ours (H2). Longer than a turn takes on a busy machine. */
const SILENCE_MS = 10_000;
/** The same for the first beat of a monitor: while others run, one of them has beaten in this time. */
const SILENCE_AT_START_MS = 2_000;
/** Heartbeats, and steps of each, whose alerts are opened and closed by one publication. */
const AT_ONCE = 200;
const STEPS_AT_ONCE = 50;
const PUBLISH_WITHIN_MS = 5_000;
/** A turn waits for publications for so many milliseconds: much to publish must not make the next beat late. */
const TOLD_WITHIN_MS = 1_000;

/**
 * Expires heartbeats and has their alerts opened and closed (H1, H7). Any number of watches may run side by side, and each may
 * die at any moment. The first to come expires what is due. All of them publish what is not published yet, so an order may be
 * published twice; consumers fold it by its id.
 */
export class HeartbeatWatch {
  readonly #ports: HeartbeatWatchPorts;
  #begun = false;
  #refusedPings = false;
  #mayExpire = true;
  #outages: readonly Outage[] = [];
  #telling: Promise<void> | undefined;
  #tellAgain = false;

  constructor(ports: HeartbeatWatchPorts) {
    this.#ports = ports;
  }

  /** A ping could not be taken, so its sender was not silent (H2). */
  pingRefused(): void {
    this.#refusedPings = true;
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
    await this.#tellForAWhile();
  }

  /** Publishes what is not published yet, soon. What fails is left to the next turn. */
  tellSoon(): void {
    void this.#tell().catch((error: unknown) => {
      this.#ports.logger.warn({ err: error }, 'alerts of heartbeats cannot be told of; it is tried again');
    });
  }

  /** How many heartbeats are due or not told yet. */
  pending(): Promise<number> {
    return this.#ports.store.pending(this.#ports.clock.now(), this.#outages);
  }

  nextDueAt(): Promise<Date | undefined> {
    return this.#ports.store.nextDueAt(this.#outages);
  }

  async #expire(now: Date): Promise<void> {
    const { store, onExpired } = this.#ports;
    await this.#beat(now);
    const count = await store.expire(now, this.#outages);
    if (count > 0) onExpired(count);
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

  /** One runs at a time. Who asks while it runs waits for a round that begins afterwards. */
  #tell(): Promise<void> {
    this.#tellAgain = true;
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  /** As {@link #tell}, which goes on in any case. Its failure is that of the turn that waits for it. */
  async #tellForAWhile(): Promise<void> {
    await withTimeout(this.#tell(), TOLD_WITHIN_MS, () => undefined);
  }

  async #tellAll(): Promise<void> {
    while (this.#tellAgain) {
      this.#tellAgain = false;
      const heartbeats = firstOfEachName(await this.#ports.store.untold(AT_ONCE));
      if (heartbeats.length === 0) continue;
      await this.#publish(heartbeats);
      this.#tellAgain = true;
    }
  }

  /** Each heartbeat's steps are published in their order, and none before the one before it is on Kafka (H7). */
  async #publish(heartbeats: readonly Heartbeat[]): Promise<void> {
    const { store, publisher, alertIdOf } = this.#ports;
    const told = heartbeats.map((heartbeat) => ({
      heartbeat,
      steps: Math.min(heartbeat.step, heartbeat.told + STEPS_AT_ONCE),
    }));
    const commands = told.flatMap(({ heartbeat, steps }) =>
      Array.from({ length: steps - heartbeat.told }, (_, index) => heartbeat.told + index + 1).map((step) =>
        orderOf(heartbeat, step, alertIdOf(heartbeat.id, step)),
      ),
    );
    await publisher.publish(AlertCommands, commands, { deadlineMs: PUBLISH_WITHIN_MS });
    await store.markTold(told.map(({ heartbeat: { id }, steps }) => ({ id, steps })));
    for (const { heartbeat, steps } of told) if (steps % 2 === 1) this.#noteOwnerless(heartbeat);
  }

  /** Nobody is paged by its alert (S12). */
  #noteOwnerless({ name, ownerTeamId }: Heartbeat): void {
    const { teams, logger } = this.#ports;
    if (ownerTeamId !== undefined && teams.get(ownerTeamId) !== undefined) return;
    logger.warn({ heartbeat: name, ownerTeamId }, 'a heartbeat without a team is expired: nobody is paged');
  }
}

const resumedAtOf = (outages: readonly Outage[]): Date => outages.at(-1)?.to ?? new Date(0);

/** A deleted heartbeat is told of to its end before the next one of its name, which has the same alias. */
const firstOfEachName = (untold: readonly Heartbeat[]): readonly Heartbeat[] =>
  [...Map.groupBy(untold, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
