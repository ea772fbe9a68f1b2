import type { ChangedKind, Changes } from '@tocsin/api';

/** Beyond so many entities of a kind, a batch says `many` of it. */
const MAX_ENTITIES = 50;

/** The hints of the next batch, each entity once with its last version (L1). Bounded, however much changes. */
export class PendingHints {
  readonly #byKind = new Map<ChangedKind, Map<string, string> | 'many'>();

  get isEmpty(): boolean {
    return this.#byKind.size === 0;
  }

  /** Whether a further hint of the kind changes nothing. */
  isFull(kind: ChangedKind): boolean {
    return this.#byKind.get(kind) === 'many';
  }

  add(kind: ChangedKind, id: string, version: string): void {
    const pending = this.#byKind.get(kind) ?? new Map<string, string>();
    if (pending === 'many') return;
    pending.set(id, version);
    this.#byKind.set(kind, pending.size > MAX_ENTITIES ? 'many' : pending);
  }

  /** All of them, which are then no longer pending. */
  take(): Changes {
    const changes = [...this.#byKind].map(([kind, pending]) => [
      kind,
      pending === 'many' ? pending : [...pending].map(([id, version]) => ({ id, version })),
    ]);
    this.#byKind.clear();
    return Object.fromEntries(changes) as Changes;
  }
}

/** The time between the batches of all streams: at most two a second (L1). */
const BATCH_MS = 500;

export interface HintBatchesOptions {
  /** Sends a batch. The next one waits until it resolves. */
  readonly send: (changes: Changes) => Promise<void>;
  readonly batchMs?: number;
}

/** Gathers hints into batches, at most two a second by real time: the first hint after a pause is sent in the next turn of the event loop. */
export class HintBatches {
  readonly #options: Required<HintBatchesOptions>;
  readonly #pending = new PendingHints();
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;
  #lastMs = -Infinity;

  constructor(options: HintBatchesOptions) {
    this.#options = { batchMs: BATCH_MS, ...options };
  }

  /** As that of {@link PendingHints}. */
  isFull(kind: ChangedKind): boolean {
    return this.#pending.isFull(kind);
  }

  add(kind: ChangedKind, id: string, version: string): void {
    this.#pending.add(kind, id, version);
    this.#schedule();
  }

  /** Forgets what is pending. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.take();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isSending || this.#pending.isEmpty) return;
    const waitMs = Math.max(0, this.#lastMs + this.#options.batchMs - performance.now());
    this.#timer = setTimeout(() => void this.#send(), waitMs);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    this.#lastMs = performance.now();
    this.#isSending = true;
    await this.#options.send(this.#pending.take());
    this.#isSending = false;
    this.#schedule();
  }
}
