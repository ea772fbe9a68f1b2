import type { AlertCommand, ConsumedBatch, Settlement } from '@tocsin/contracts';

type Batch = ConsumedBatch<AlertCommand>;
type Partition = Pick<Batch, 'topic' | 'partition'>;

/** Up to where each partition is settled, for the store in memory. */
export class MemoryPositions {
  readonly #next = new Map<string, number>();

  /** The records of `batch` that are not settled yet. */
  due(batch: Batch): Batch['records'] {
    const next = this.#of(batch) ?? 0;
    return batch.records.filter(({ offset }) => offset >= next);
  }

  /** Whether `batch` begins exactly where its partition is settled up to. */
  isAtItsPlace(batch: Batch): boolean {
    return this.#of(batch) === batch.records[0]?.offset;
  }

  /** What a batch is answered that has nothing for its position; undefined where it has. */
  answerOutOfPlace(batch: Batch): Settlement | undefined {
    const next = this.#of(batch);
    const first = this.due(batch)[0];
    if (first === undefined) return { outcome: 'done' };
    return next !== undefined && first.offset > next ? { outcome: 'seek', offset: next } : undefined;
  }

  /** The record at `offset` is settled now, and all before it; false where it was settled before. */
  settle(partition: Partition, offset: number): boolean {
    if ((this.#of(partition) ?? 0) > offset) return false;
    this.#next.set(keyOf(partition), offset + 1);
    return true;
  }

  #of(partition: Partition): number | undefined {
    return this.#next.get(keyOf(partition));
  }
}

const keyOf = ({ topic, partition }: Partition): string => `${topic}/${String(partition)}`;
