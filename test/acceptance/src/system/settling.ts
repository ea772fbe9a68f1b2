import { setTimeout as pause } from 'node:timers/promises';
import type { ManualClock } from '@tocsin/core';
import type { ComposedService } from './composed-service.ts';

const SETTLE_TIMEOUT_MS = 120_000;

/** Moves the one clock of all services, from one due instant to the next, and lets everything settle at each. */
export class Settling {
  readonly #clock: ManualClock;
  readonly #services: readonly ComposedService[];
  readonly #published: () => Promise<number>;
  #fatal: Error | undefined;

  /** `published` grows with every record that a service puts on a topic. */
  constructor(clock: ManualClock, services: readonly ComposedService[], published: () => Promise<number>) {
    this.#clock = clock;
    this.#services = services;
    this.#published = published;
  }

  /** Makes every later settling fail. */
  fail(error: Error): void {
    this.#fatal ??= error;
  }

  /**
   * Resolves when nothing is under way at this instant: twice in a row no group is behind, no row waits to be published, no
   * timer is due and nothing is being sent, and nothing was published from before the first time until after the second.
   * The services are not asked at one instant, and work that moves from one to the other could pass by each question.
   *
   * @throws Error when that is not so within 120 s of real time; the message says what is still under way.
   */
  async settle(): Promise<void> {
    const until = performance.now() + SETTLE_TIMEOUT_MS;
    let published = await this.#published();
    for (let quiet = 0; quiet < 2;) {
      if (this.#fatal !== undefined) throw this.#fatal;
      const busy = await this.#busy();
      const now = await this.#published();
      quiet = busy.length === 0 && now === published ? quiet + 1 : 0;
      published = now;
      if (performance.now() > until) throw new Error(`This does not settle: ${busy.join('; ')}`);
      await pause(quiet === 0 ? 10 : 5);
    }
  }

  /** Goes to `instant` by way of everything that falls due until then, and settles there. */
  async moveTo(instant: Date): Promise<void> {
    await this.settle();
    for (let due = await this.#nextDueAt(); due !== undefined && due <= instant; due = await this.#nextDueAt()) {
      if (due > this.#clock.now()) this.#clock.moveTo(due);
      await this.settle();
    }
    this.#clock.moveTo(instant);
    await this.settle();
  }

  async #busy(): Promise<readonly string[]> {
    const all = await Promise.all(
      this.#services.map(async ({ name, activity }) =>
        [...(await activity.busy())].map(([work, count]) => `${name}: ${work} ${count}`),
      ),
    );
    return all.flat();
  }

  async #nextDueAt(): Promise<Date | undefined> {
    const instants = await Promise.all(this.#services.map(({ activity }) => activity.nextDueAt()));
    return instants
      .filter((instant) => instant !== undefined)
      .sort((a, b) => a.getTime() - b.getTime())
      .at(0);
  }
}
