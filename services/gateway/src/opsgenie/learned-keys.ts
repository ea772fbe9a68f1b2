/** A request of a tool that Opsgenie accepted. */
export interface AcceptedRequest {
  /** The hash of its key, in hexadecimal digits. */
  readonly sha256: string;
  readonly at: Date;
  /** The id of its operation. */
  readonly operation: string;
  /** The id that Opsgenie gave it, of a request about an alert. */
  readonly requestId?: string | undefined;
}

/** What is known of a key that Opsgenie accepts. The key itself is never kept. */
export interface LearnedKey {
  readonly sha256: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Those that this process has counted. */
  readonly requests: number;
  /** Of the last request. */
  readonly operation: string;
  /** The id that Opsgenie gave the last request about an alert. */
  readonly requestId?: string;
}

/** The most keys that are reported at a time. */
const BATCH = 1_000;
/** Beyond it, the key that was used longest ago is forgotten. Each takes about 400 bytes. */
const MAX_KEYS = 10_000;

/** The keys with which tools send to Opsgenie through this process, in memory. */
export class LearnedKeys {
  /** By hash; the one that was used last is the last. */
  readonly #keys = new Map<string, LearnedKey>();
  /** Those that Opsgenie has refused since. */
  readonly #refused = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #max: number;

  constructor(max: number = MAX_KEYS) {
    this.#max = max;
  }

  /** Whether Opsgenie has accepted the last request with the key. */
  has(sha256: string): boolean {
    return this.#keys.has(sha256) && !this.#refused.has(sha256);
  }

  add({ at, operation, requestId, sha256 }: AcceptedRequest): void {
    const known = this.#keys.get(sha256) ?? { sha256, firstAt: at, requests: 0 };
    this.#forget(sha256);
    this.#changed.add(sha256);
    this.#keys.set(sha256, {
      ...known,
      lastAt: at,
      requests: known.requests + 1,
      operation,
      ...(requestId !== undefined && { requestId }),
    });
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= this.#max) break;
      this.#forget(oldest);
    }
  }

  /** Opsgenie has refused a request with the key. */
  refuse(sha256: string): void {
    if (this.#keys.has(sha256)) this.#refused.add(sha256);
  }

  /** The hashes of the keys that Opsgenie accepts. */
  hashes(): readonly string[] {
    return [...this.#keys.keys()].filter((sha256) => !this.#refused.has(sha256));
  }

  /**
   * Stores all keys that have changed, a batch after the other.
   *
   * @throws what `store` throws; the keys are stored the next time.
   */
  async storeChanged(store: (keys: readonly LearnedKey[]) => Promise<void>): Promise<void> {
    // What changes meanwhile is left for the next time.
    for (let left = this.#changed.size; left > 0; left -= BATCH) {
      const hashes = [...this.#changed].slice(0, BATCH);
      for (const sha256 of hashes) this.#changed.delete(sha256);
      try {
        await store(hashes.map((sha256) => this.#keys.get(sha256)).filter((key) => key !== undefined));
      } catch (error) {
        for (const sha256 of hashes) this.#changed.add(sha256);
        throw error;
      }
    }
  }

  #forget(sha256: string): void {
    this.#keys.delete(sha256);
    this.#refused.delete(sha256);
    this.#changed.delete(sha256);
  }
}
