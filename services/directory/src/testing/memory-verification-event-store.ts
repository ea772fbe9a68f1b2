import type { BuriedRecord, ConsumedBatch, Settlement, VerificationEvent } from '@tocsin/contracts';
import { proofOf, proven } from '../domain/proof.ts';
import { withNextVersion } from '../domain/user.ts';
import type { VerificationEventStore } from '../ports/verification-event-store.ts';
import type { MemoryDirectory } from './memory-directory.ts';

export class MemoryVerificationEventStore implements VerificationEventStore {
  readonly #directory: MemoryDirectory;
  /** The next offset of each partition. */
  readonly #positions = new Map<string, number>();

  constructor(directory: MemoryDirectory) {
    this.#directory = directory;
  }

  settle(batches: readonly ConsumedBatch<VerificationEvent>[]): Promise<Settlement> {
    for (const batch of batches) this.#settle(batch);
    return Promise.resolve({ outcome: 'done' });
  }

  bury(record: BuriedRecord): Promise<Settlement> {
    this.#passed(record, record.offset);
    return Promise.resolve({ outcome: 'done' });
  }

  #settle(batch: ConsumedBatch<VerificationEvent>): void {
    for (const { offset, value } of batch.records) {
      if (offset < this.#positionOf(batch)) continue;
      const user = this.#directory.users.get(value.userId);
      const proof = user && proofOf(user, [value]);
      if (user !== undefined && proof !== undefined)
        this.#directory.users.set(user.id, withNextVersion(proven(user, proof), user));
      this.#passed(batch, offset);
    }
  }

  #positionOf({ topic, partition }: Pick<BuriedRecord, 'topic' | 'partition'>): number {
    return this.#positions.get(`${topic}/${partition}`) ?? 0;
  }

  #passed({ topic, partition }: Pick<BuriedRecord, 'topic' | 'partition'>, offset: number): void {
    this.#positions.set(`${topic}/${partition}`, offset + 1);
  }
}
