import type { MessagingLogger } from './ports.ts';

export interface CommittedOffset {
  /** With the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Kafka stores it with the offset. */
  readonly metadata?: string | null;
}

/**
 * Commits offsets to Kafka, all together and at most once per interval. A failed commit is not repeated: the next one is enough.
 */
export class OffsetCommitter {
  readonly #commit: (offsets: CommittedOffset[]) => Promise<void>;
  readonly #logger: MessagingLogger;
  readonly #everyMs: number;
  readonly #dirty = new Map<string, CommittedOffset>();
  #timer: NodeJS.Timeout | undefined;
  #committing: Promise<void> | undefined;

  constructor(commit: (offsets: CommittedOffset[]) => Promise<void>, logger: MessagingLogger, everyMs = 1_000) {
    this.#commit = commit;
    this.#logger = logger;
    this.#everyMs = everyMs;
  }

  /** The offset is committed within the interval, unless the partition is revoked first. */
  mark(topic: string, partition: number, offset: number, metadata: string | null = null): void {
    this.#dirty.set(`${topic}/${partition}`, { topic, partition, offset: String(offset), metadata });
    this.#timer ??= setTimeout(() => void this.flush(), this.#everyMs);
  }

  /** Drops what is not committed yet, because the partitions may be another member's now. */
  clear(): void {
    this.#dirty.clear();
  }

  /** Resolves when everything that was marked before the call is committed, or has failed. Never throws. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#committing;
    const offsets = [...this.#dirty.values()];
    this.#dirty.clear();
    if (offsets.length === 0) return;
    this.#committing = this.#commit(offsets)
      .catch((error: unknown) => {
        this.#logger.debug({ err: error }, 'Positions were not committed; the next ones will be.');
      })
      .finally(() => (this.#committing = undefined));
    await this.#committing;
  }
}
