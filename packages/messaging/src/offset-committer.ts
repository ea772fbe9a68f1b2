import type { MessagingLogger } from './ports.ts';

export interface CommittedOffset {
  /** As on the wire. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Stored by Kafka beside the offset, unchanged. */
  readonly metadata?: string | null;
}

/** Commits positions to Kafka together, at most once in each interval. The next commit makes up for one that failed. */
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

  /** The position is committed within the interval, unless the partition goes to somebody else first. */
  mark(topic: string, partition: number, offset: number, metadata: string | null = null): void {
    this.#dirty.set(`${topic}/${partition}`, { topic, partition, offset: String(offset), metadata });
    this.#timer ??= setTimeout(() => void this.flush(), this.#everyMs);
  }

  /** Forgets what is not committed yet: the partitions may belong to somebody else now. */
  clear(): void {
    this.#dirty.clear();
  }

  /** Resolves when everything marked until now was committed or refused. Never throws. */
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
