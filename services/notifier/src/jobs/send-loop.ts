import type { Clock } from '@tocsin/clock';
import { Sleeper } from '@tocsin/timers';
import type { Deliver } from '../application/deliver.ts';
import type { DeliveryStore } from '../ports/delivery-store.ts';

export interface SendLoopParts {
  readonly deliver: Pick<Deliver, 'settled' | 'stop' | 'take' | 'underWay' | 'whenRoom'>;
  readonly store: Pick<DeliveryStore, 'keep'>;
  readonly clock: Clock;
  /** When something is due next of which nobody holds the turn. */
  readonly nextDueAt: () => Promise<Date | undefined>;
  readonly onTrouble: (error: unknown) => void;
  /** How often what is under way is kept, and what the dead held is freed, in milliseconds of real time. */
  readonly keepEveryMs: number;
}

/** The longest pause between two looks, in real time. A message that another process added may be this late. */
const LOOK_EVERY_MS = 500;
const SHORTEST_PAUSE_MS = 5;

/** Begins whatever is due as soon as there is room for it, until the stop. */
export class SendLoop {
  readonly #parts: SendLoopParts;
  readonly #sleeper = new Sleeper();
  #running: Promise<void> | undefined;
  #keeping: NodeJS.Timeout | undefined;
  #stopping = false;
  #leave: () => void = () => undefined;

  constructor(parts: SendLoopParts) {
    this.#parts = parts;
    parts.deliver.whenRoom(() => {
      this.wake();
    });
  }

  start(): void {
    this.#stopping = false;
    this.#leave = this.#parts.clock.whenMoved(() => {
      this.wake();
    });
    this.#keeping = setInterval(() => void this.#keep(), this.#parts.keepEveryMs);
    this.#running ??= this.#run();
  }

  /** Begins nothing more from the call on. Resolves when each message that was begun has its result. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#parts.deliver.stop();
    this.#leave();
    this.wake();
    await this.#running;
    this.#running = undefined;
    await this.#parts.deliver.settled();
    clearInterval(this.#keeping);
  }

  /** Looks at once. */
  wake(): void {
    this.#sleeper.wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) await this.#sleeper.sleep(await this.#look());
  }

  /** How long there is nothing to do. */
  async #look(): Promise<number> {
    const { clock, deliver, nextDueAt, onTrouble } = this.#parts;
    try {
      if (await deliver.take()) return 0;
      const due = await nextDueAt();
      if (due === undefined) return LOOK_EVERY_MS;
      // It is due and was not taken: it waits for room, or another process takes it.
      const untilDue = due.getTime() - clock.now().getTime();
      return untilDue <= 0 ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, Math.max(SHORTEST_PAUSE_MS, untilDue));
    } catch (error) {
      onTrouble(error);
      return LOOK_EVERY_MS;
    }
  }

  async #keep(): Promise<void> {
    try {
      if (await this.#parts.store.keep(this.#parts.deliver.underWay)) this.wake();
    } catch (error) {
      this.#parts.onTrouble(error);
    }
  }
}
