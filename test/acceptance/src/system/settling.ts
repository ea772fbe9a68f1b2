import { setTimeout as pause } from 'node:timers/promises';
import type { ManualClock } from '@tocsin/core';
import type { ComposedService } from './composed-service.ts';
import type { Published } from './published.ts';

const SETTLE_TIMEOUT_MS = 120_000;

/** Moves the one clock of all services, from one due instant to the next, and lets everything settle at each. */
export class Settling {
  readonly #clock: ManualClock;
  readonly #services: readonly ComposedService[];
  readonly #published: Pick<Published, 'records' | 'readingOnce'>;
  #fatal: Error | undefined;
  /** The requests that were under way when all were checked last. They are checked first, alone. */
  #last: { readonly activity: ComposedService['activity']; readonly work: string } | undefined;

  constructor(
    clock: ManualClock,
    services: readonly ComposedService[],
    published: Pick<Published, 'records' | 'readingOnce'>,
  ) {
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
    while (!(await this.#isQuiet())) {
      if (performance.now() > until) throw new Error(`This does not settle: ${(await this.#allBusy()).join('; ')}`);
      await pause(10);
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

  async #isQuiet(): Promise<boolean> {
    if (await this.#lastIsBusy()) return false;
    const before = await this.#published.records();
    return !(await this.#isBusy()) && !(await this.#isBusy()) && (await this.#published.records()) === before;
  }

  /** The question costs requests to Kafka and MongoDB: one kind of work that is under way says enough. */
  async #lastIsBusy(): Promise<boolean> {
    if (this.#fatal !== undefined) throw this.#fatal;
    if (this.#last !== undefined && (await this.#last.activity.pending(this.#last.work)) > 0) return true;
    this.#last = undefined;
    return false;
  }

  async #isBusy(): Promise<boolean> {
    if (this.#fatal !== undefined) throw this.#fatal;
    // The services read the same topics.
    const readBounds = this.#published.readingOnce();
    const all = await Promise.all(
      this.#services.map(async ({ activity }) =>
        [...(await activity.busy(readBounds))].map(([work]) => ({ activity, work })),
      ),
    );
    this.#last = all.flat().at(0);
    return this.#last !== undefined;
  }

  async #allBusy(): Promise<readonly string[]> {
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
