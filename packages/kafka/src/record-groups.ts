import type { BatchResult, ConsumedBatch } from '@tocsin/events';
import type { BatchProcessor } from './ports.ts';
import { failureResult } from './failure-result.ts';

/** The bounds of the groups of a topic. */
export interface GroupBounds {
  /** Limit of the records of a group; a single batch may have more. 300 by default. */
  readonly maxRecords?: number;
  /** Groups that are processed at the same time; 2 by default. */
  readonly concurrency?: number;
}

export interface RecordGroupsOptions<T> extends GroupBounds {
  readonly processor: BatchProcessor<T>;
}

interface WaitingBatch<T> {
  readonly batch: ConsumedBatch<T>;
  readonly resolve: (result: Promise<BatchResult>) => void;
}

/**
 * Joins the batches that one fetch brings of several partitions into groups, each for one transaction: a transaction costs much the
 * same for one record as for hundreds. A batch may wait for groups that are being processed, never for batches that are not fetched yet.
 */
export class RecordGroups<T> {
  readonly #options: RecordGroupsOptions<T>;
  #waiting: WaitingBatch<T>[] = [];
  /** Partition whose last batch has to be tried again -> how many batches go together then. */
  readonly #retried = new Map<string, number>();
  #running = 0;
  #scheduled = false;

  constructor(options: RecordGroupsOptions<T>) {
    this.#options = options;
  }

  process(batch: ConsumedBatch<T>): Promise<BatchResult> {
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
        void this.#process(this.#nextGroup());
    });
  }

  /** Partitions whose last group has to be tried again go in groups of half its size, apart from the others. */
  #nextGroup(): readonly WaitingBatch<T>[] {
    const { maxRecords = 300 } = this.#options;
    const [first] = this.#waiting;
    const limit = first && this.#retried.get(nameOf(first.batch));
    const alike = this.#waiting.filter(({ batch }) => this.#retried.get(nameOf(batch)) === limit);
    const group: WaitingBatch<T>[] = [];
    let records = 0;
    for (const waiting of alike.slice(0, limit)) {
      records += waiting.batch.records.length;
      if (records > maxRecords && group.length > 0) break;
      group.push(waiting);
    }
    this.#waiting = this.#waiting.filter((each) => !group.includes(each));
    return group;
  }

  async #process(group: readonly WaitingBatch<T>[]): Promise<void> {
    const { processor } = this.#options;
    this.#running += 1;
    const together = (async () => processor.process(group.map(({ batch }) => batch)))();
    const { outcome } = await together.catch(failureResult);
    const refused = outcome === 'refused';
    for (const { batch, resolve } of group) {
      const own = refused && group.length > 1 ? (async () => processor.process([batch]))() : together;
      resolve(own);
      const result = await own.catch(failureResult);
      if (result.outcome === 'retry') this.#retried.set(nameOf(batch), Math.max(1, Math.floor(group.length / 2)));
      else this.#retried.delete(nameOf(batch));
    }
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

const nameOf = ({ partition, topic }: ConsumedBatch<unknown>): string => `${topic}/${partition}`;
