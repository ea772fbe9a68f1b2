import type { ConsumedBatch, Settlement } from '@tocsin/contracts';
import type { BatchHandler } from './ports.ts';
import { settlementOfError } from './settlement-of-error.ts';

/** What a {@link GatheredHandler} needs, and its bounds. */
export interface GatheredHandlerOptions<T> {
  /** Settles all of `batches`, each of another partition, or none. When it refuses several, it is called with each alone. */
  readonly settle: (batches: readonly ConsumedBatch<T>[]) => Promise<Settlement>;
  readonly bury: BatchHandler<T>['bury'];
  /** Most records of a group; a single batch may have more. 600 by default. */
  readonly mostRecords?: number;
  /** Groups settled concurrently; 2 by default. */
  readonly concurrency?: number;
}

interface Waiting<T> {
  readonly batch: ConsumedBatch<T>;
  readonly resolve: (settlement: Promise<Settlement>) => void;
}

/**
 * Settles the batches that one fetch brings of several partitions in one transaction, because a transaction costs much the same
 * for one record as for hundreds. A batch may wait for groups that are being settled, never for batches that are not fetched yet.
 */
export class GatheredHandler<T> implements BatchHandler<T> {
  readonly #options: GatheredHandlerOptions<T>;
  readonly bury: BatchHandler<T>['bury'];
  #waiting: Waiting<T>[] = [];
  /** Partition whose last batch has to be tried again -> how many batches go together then. */
  readonly #retried = new Map<string, number>();
  #running = 0;
  #scheduled = false;

  constructor(options: GatheredHandlerOptions<T>) {
    this.#options = options;
    this.bury = options.bury;
  }

  settle(batch: ConsumedBatch<T>): Promise<Settlement> {
    return new Promise((resolve) => {
      this.#waiting.push({ batch, resolve });
      this.#schedule();
    });
  }

  /** Runs after the client has handed over all batches of the same fetch. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < (this.#options.concurrency ?? 2))
        void this.#settle(this.#nextGroup());
    });
  }

  /** Partitions whose last group has to be tried again go in groups of half its size, apart from the others. */
  #nextGroup(): readonly Waiting<T>[] {
    const { mostRecords = 600 } = this.#options;
    const [first] = this.#waiting;
    const limit = first && this.#retried.get(nameOf(first.batch));
    const alike = this.#waiting.filter(({ batch }) => this.#retried.get(nameOf(batch)) === limit);
    const group: Waiting<T>[] = [];
    let records = 0;
    for (const waiting of alike.slice(0, limit)) {
      records += waiting.batch.records.length;
      if (records > mostRecords && group.length > 0) break;
      group.push(waiting);
    }
    this.#waiting = this.#waiting.filter((each) => !group.includes(each));
    return group;
  }

  async #settle(group: readonly Waiting<T>[]): Promise<void> {
    const { settle } = this.#options;
    this.#running += 1;
    const together = (async () => settle(group.map(({ batch }) => batch)))();
    const { outcome } = await together.catch(settlementOfError);
    const refused = outcome === 'refused';
    for (const { batch, resolve } of group) {
      const own = refused && group.length > 1 ? (async () => settle([batch]))() : together;
      resolve(own);
      const settlement = await own.catch(settlementOfError);
      if (settlement.outcome === 'retry') this.#retried.set(nameOf(batch), Math.max(1, Math.floor(group.length / 2)));
      else this.#retried.delete(nameOf(batch));
    }
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

const nameOf = ({ partition, topic }: ConsumedBatch<unknown>): string => `${topic}/${partition}`;
