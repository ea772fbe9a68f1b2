import type { BatchResult, CommittedBatch, ConsumedBatch, ConsumedRecord, RecordTransactions } from '@tocsin/events';
import { failureResult } from '../failure-result.ts';

/** Keeps the positions of partitions in memory. It does not undo the writes of a `work` that threw. */
export class MemoryTransactions implements RecordTransactions<undefined> {
  readonly #next = new Map<string, number>();

  async process<T, R>(
    batches: readonly ConsumedBatch<T>[],
    work: (tx: undefined, records: readonly ConsumedRecord<T>[]) => Promise<R>,
  ): Promise<BatchResult | CommittedBatch<R>> {
    const records = batches.flatMap((batch) => {
      const next = this.#next.get(nameOf(batch)) ?? 0;
      return batch.records.filter(({ offset }) => offset >= next);
    });
    if (records.length === 0) return { outcome: 'done' };
    let value: R;
    try {
      value = await work(undefined, records);
    } catch (error) {
      return failureResult(error);
    }
    for (const batch of batches) this.#next.set(nameOf(batch), (batch.records.at(-1)?.offset ?? -1) + 1);
    return { outcome: 'done', value };
  }
}

const nameOf = ({ topic, partition }: ConsumedBatch<unknown>): string => `${topic}/${partition}`;
