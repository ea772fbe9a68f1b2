import type { Clock } from '@tocsin/clock';
import { hasManyPages } from '../domain/bundle.ts';
import { isFinal } from '../domain/delivery.ts';
import type { Conclusion, Decide, DeliveryStore, TakenDelivery, Turn } from '../ports/delivery-store.ts';
import { ConclusionQueue } from './conclusion-queue.ts';

export interface ResultWriterParts {
  readonly store: Pick<DeliveryStore, 'conclude' | 'release'>;
  readonly clock: Clock;
  /** Decides about the message with which a turn goes on. */
  readonly decide: Decide;
  /** Whether the turn of one of these results goes on. */
  readonly mayGoOn: (conclusion: Conclusion, conclusions: readonly Conclusion[]) => boolean;
  /** Hears of each message that is not sent, once that is written. */
  readonly onEnded: (ended: TakenDelivery) => void;
  /** Hears why a result cannot be written yet. */
  readonly onTrouble: (error: unknown) => void;
  /** Between two tries. */
  readonly pause: () => Promise<void>;
}

/** Once a result is written: the message with which its turn goes on, if it does. */
export interface AfterResult {
  readonly next: TakenDelivery | undefined;
}

/** Writes results, those that come at the same time in one transaction, and begins the next message of turns that go on. */
export class ResultWriter {
  readonly #parts: ResultWriterParts;
  readonly #results: ConclusionQueue<Conclusion, AfterResult>;
  /** For messages with many pages, each by itself. */
  readonly #large: ConclusionQueue<Conclusion, AfterResult>;
  #stopping = false;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
    const write = (conclusions: readonly Conclusion[]) => this.#writeAll(conclusions);
    this.#results = new ConclusionQueue(write);
    this.#large = new ConclusionQueue(write, 1);
  }

  /** From now on no turn goes on, and each result is tried once. */
  stop(): void {
    this.#stopping = true;
  }

  /**
   * Tries until the result is written: without it the message would be sent again. Undefined where the result was not taken,
   * because its message was erased meanwhile. Then the turn is released, so that its person's other messages do not wait for
   * the lease.
   */
  async write(conclusion: Conclusion): Promise<AfterResult | undefined> {
    const { onTrouble, pause, store } = this.#parts;
    const queue = hasManyPages(conclusion.others) ? this.#large : this.#results;
    for (;;) {
      try {
        const after = await queue.add(conclusion);
        if (after === undefined) await store.release([conclusion.turn]);
        return after;
      } catch (error) {
        onTrouble(error);
        if (this.#stopping) return undefined;
        await pause();
      }
    }
  }

  async #writeAll(conclusions: readonly Conclusion[]): Promise<ReadonlyMap<Conclusion, AfterResult>> {
    const { clock, decide, mayGoOn, onEnded, store } = this.#parts;
    const { going = [], ending = [] } = Object.groupBy(conclusions, (conclusion) =>
      !this.#stopping && mayGoOn(conclusion, conclusions) ? 'going' : 'ending',
    );
    // The write that begins messages comes last: where the other one fails, nothing was begun that nobody would hand over.
    const written = [await store.conclude(ending, clock.now()), await store.conclude(going, clock.now(), decide)];
    const sending = new Map<Turn, TakenDelivery>();
    for (const next of written.flatMap((each) => each.next)) {
      if (isFinal(next.delivery)) onEnded(next);
      else sending.set(next.turn, next);
    }
    const taken = written.flatMap((each) => each.taken);
    return new Map(taken.map((conclusion) => [conclusion, { next: sending.get(conclusion.turn) }]));
  }
}
