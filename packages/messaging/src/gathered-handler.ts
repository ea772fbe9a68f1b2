import type { ConsumedBatch, Settlement } from '@tocsin/contracts';
import type { BatchHandler } from './ports.ts';
import { settlementOfError } from './settlement-of-error.ts';

/** What a {@link GatheredHandler} needs, and its bounds. */
export interface GatheredHandlerOptions<T> {
  /**
   * Settles all of `batches`, each of another partition, or none. When it refuses several, or fails for good, each is handed to
   * it alone.
   */
  readonly settle: (batches: readonly ConsumedBatch<T>[]) => Promise<Settlement>;
  readonly bury: BatchHandler<T>['bury'];
  /** Most records of a group; a single batch may have more. 600 by default. */
  readonly mostRecords?: number;
  /** Groups settled concurrently; 2 by default. */
  readonly concurrency?: number;
}

interface Waiting<T> {
  readonly batch: ConsumedBatch<T>;
  readonly settled: (settlement: Promise<Settlement>) => void;
}

/**
 * Settles the batches of one fetch in one transaction, whatever their partitions, because a transaction costs much the same for
 * one record as for hundreds. A batch waits for groups that are being settled, never for batches that have not come yet.
 */
export class GatheredHandler<T> implements BatchHandler<T> {
  readonly #options: GatheredHandlerOptions<T>;
  readonly bury: BatchHandler<T>['bury'];
  #waiting: Waiting<T>[] = [];
  #underWay = 0;
  #due = false;

  constructor(options: GatheredHandlerOptions<T>) {
    this.#options = options;
    this.bury = options.bury;
  }

  settle(batch: ConsumedBatch<T>): Promise<Settlement> {
    return new Promise((resolve) => {
      this.#waiting.push({ batch, settled: resolve });
      this.#soon();
    });
  }

  /** After all batches of the same fetch have been handed over. */
  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      while (this.#waiting.length > 0 && this.#underWay < (this.#options.concurrency ?? 2))
        void this.#settle(this.#group());
    });
  }

  #group(): readonly Waiting<T>[] {
    const { mostRecords = 600 } = this.#options;
    let records = 0;
    const over = this.#waiting.findIndex(
      ({ batch }, index) => (records += batch.records.length) > mostRecords && index > 0,
    );
    return this.#waiting.splice(0, over < 0 ? this.#waiting.length : over);
  }

  async #settle(group: readonly Waiting<T>[]): Promise<void> {
    const { settle } = this.#options;
    this.#underWay += 1;
    const together = (async () => settle(group.map(({ batch }) => batch)))();
    const { outcome } = await together.catch(settlementOfError);
    const refused = outcome === 'refused';
    for (const { batch, settled } of group) {
      const own = refused && group.length > 1 ? (async () => settle([batch]))() : together;
      settled(own);
      await own.catch(() => undefined);
    }
    this.#underWay -= 1;
    if (this.#waiting.length > 0) this.#soon();
  }
}
