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
  /** Since the last report. */
  readonly requests: number;
  /** Of the last request. */
  readonly operation: string;
  /** The id that Opsgenie gave the last request about an alert. */
  readonly requestId?: string;
}

/** Beyond it, the key that was used longest ago is forgotten. Each takes about 400 bytes. */
const MAX_KEYS = 10_000;

/** The keys with which tools send to Opsgenie through this process, in memory. */
export class LearnedKeys {
  /** By hash; the one that was used last is the last. */
  readonly #keys = new Map<string, LearnedKey>();
  readonly #max: number;

  constructor(max: number = MAX_KEYS) {
    this.#max = max;
  }

  /** Whether Opsgenie has accepted the last request with the key. */
  has(sha256: string): boolean {
    return this.#keys.has(sha256);
  }

  add({ at, operation, requestId, sha256 }: AcceptedRequest): void {
    const known = this.#keys.get(sha256) ?? { sha256, firstAt: at, requests: 0 };
    this.#keys.delete(sha256);
    this.#keys.set(sha256, {
      ...known,
      lastAt: at,
      requests: known.requests + 1,
      operation,
      ...(requestId !== undefined && { requestId }),
    });
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= this.#max) break;
      this.#keys.delete(oldest);
    }
  }

  /** Opsgenie refuses the key. */
  remove(sha256: string): void {
    this.#keys.delete(sha256);
  }
}
