import { AlertCommands, type TeamState } from '@tocsin/contracts';
import type { Publisher, ReplicaView } from '@tocsin/messaging';
import { orderOf } from '../domain/alert-orders.ts';
import type { Heartbeat } from '../domain/heartbeat.ts';
import type { HeartbeatStore } from '../ports/heartbeat-store.ts';

export interface AlertPublisherPorts {
  readonly store: Pick<HeartbeatStore, 'untold' | 'markTold'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly teams: Pick<ReplicaView<TeamState>, 'get'>;
  /** A UUID of a step of a heartbeat, the same each time. */
  readonly alertIdOf: (heartbeatId: string, step: number) => string;
  readonly logger: { warn(fields: object, message: string): void };
}

/** Heartbeats of one publication, and steps of each. */
const AT_ONCE = 200;
const STEPS_AT_ONCE = 50;
const PUBLISH_WITHIN_MS = 5_000;

/**
 * Publishes the commands that open and close the alerts of heartbeats (H1, H7). Any number of publishers may run side by side, and
 * each may die at any moment. So a command may be published twice; consumers fold it by its id.
 */
export class AlertPublisher {
  readonly #ports: AlertPublisherPorts;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(ports: AlertPublisherPorts) {
    this.#ports = ports;
  }

  /** Publishes what is not published yet, soon. What fails is left to the next turn of a monitor. */
  publishSoon(): void {
    void this.publishAll().catch((error: unknown) => {
      this.#ports.logger.warn({ err: error }, 'alerts of heartbeats cannot be told of; it is tried again');
    });
  }

  /**
   * Resolves when all is published that was not when it was called. It runs once at a time.
   *
   * @throws UnavailableError while the database or Kafka is away
   */
  publishAll(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#publishWhileAsked().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #publishWhileAsked(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const heartbeats = firstOfEachName(await this.#ports.store.untold(AT_ONCE));
      if (heartbeats.length === 0) continue;
      await this.#publish(heartbeats);
      this.#again = true;
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

/** A deleted heartbeat is told of to its end before the next one of its name, which has the same alias. */
const firstOfEachName = (untold: readonly Heartbeat[]): readonly Heartbeat[] =>
  [...Map.groupBy(untold, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
