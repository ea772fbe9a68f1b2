import type { Query, QueryClient } from '@tanstack/react-query';
import { pauseBefore } from '../api/read-again.ts';
import { createStore } from '../shell/store.ts';
import type { StreamHandlers } from './change-stream.ts';
import { canRead, isLive, isNamed, pauseMs } from './live-queries.ts';

/** Whether hints say what changes, so that the page polls less. */
export const streamingStore = createStore(false);

/** How often a page without hints reads what it shows. */
const POLL_MS = 5_000;
/** With hints each read is so much rarer: not every change has one (L1). */
const POLLS_PER_READ = 3;
/** How soon a page that is visible again reads where its stream is not ready by then. */
const RETURN_MS = 1_000;
/** Hints lead to reads at most twice a second. */
const HINTS_MS = 500;
/** A stream that went on so long was not refused: the pause before the next one is short. */
const STEADY_MS = 60_000;

export interface ChangeReaderOptions {
  readonly client: QueryClient;
  /** Follows the stream of changes until it ends. */
  readonly follow: (handlers: StreamHandlers) => Promise<void>;
  /** Called with each failure of the stream. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps what a page shows up to date while it is started: it reads what hints name, or all every 5 s while there is no stream of hints. A
 * query is read once at a time, and not before the wait that the last answers ask for.
 */
export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  /** The hashes of the queries to read as soon as that is allowed. */
  readonly #wanted = new Set<string>();
  #run: AbortController | undefined;
  #hasRun = false;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #readTimer: ReturnType<typeof setTimeout> | undefined;
  #polls = 0;
  #notBefore = 0;

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#run !== undefined) return;
    this.#run = new AbortController();
    this.#polls = 0;
    this.#pollAfter(this.#hasRun ? RETURN_MS : POLL_MS);
    this.#hasRun = true;
    void this.#follow(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#readTimer);
    this.#readTimer = undefined;
    this.#wanted.clear();
    streamingStore.set(false);
  }

  /** Follows stream after stream, with a pause before each that grows while they fail. */
  async #follow(signal: AbortSignal): Promise<void> {
    const isOver = () => signal.aborted;
    for (let failures = 0; !isOver(); failures += 1) {
      let readyAt = Infinity;
      const error = await this.#options
        .follow({
          signal,
          onReady: () => {
            readyAt = performance.now();
            streamingStore.set(true);
            this.#polls = 0;
            this.#pollAfter(POLL_MS);
            this.#want(isLive);
          },
          onChanges: (changes) => {
            this.#want((query) => isNamed(query, changes));
          },
        })
        .then(() => undefined)
        .catch((thrown: unknown) => thrown);
      if (isOver()) return;
      if (error !== undefined) this.#options.onFailure(error);
      if (performance.now() - readyAt > STEADY_MS) failures = 0;
      if (readyAt < Infinity) await this.#endStreaming(signal);
      await pauseUnless(signal, pauseBefore(failures, error) * (1 + Math.random() / 2));
    }
  }

  /** Reads what could have changed unseen. Until then what the page shows is as fresh as it was. */
  async #endStreaming(signal: AbortSignal): Promise<void> {
    this.#pollAfter(POLL_MS);
    await this.#read(this.#queries(isLive));
    if (!signal.aborted) streamingStore.set(false);
  }

  // The next poll begins 5 s after this one began, or the end of a slow read would make the data look old.
  #pollAfter(ms: number): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = setTimeout(() => {
      this.#pollAfter(POLL_MS);
      this.#polls += 1;
      const isDue = !streamingStore.get() || this.#polls % POLLS_PER_READ === 0;
      this.#want(
        (query) => isLive(query) && query.state.fetchStatus === 'idle' && (isDue || query.state.error !== null),
      );
    }, ms);
  }

  #queries(which: (query: Query) => boolean): readonly Query[] {
    return this.#options.client.getQueryCache().getAll().filter(which);
  }

  #want(which: (query: Query) => boolean): void {
    for (const { queryHash } of this.#queries(which)) this.#wanted.add(queryHash);
    this.#readWanted();
  }

  /** Reads what is wanted, now or as soon as it is allowed. A query that is being read is read once more afterwards. */
  #readWanted(): void {
    if (this.#wanted.size === 0 || this.#readTimer !== undefined) return;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) {
      this.#readTimer = setTimeout(() => {
        this.#readTimer = undefined;
        this.#readWanted();
      }, waitMs);
      return;
    }
    this.#notBefore = performance.now() + HINTS_MS;
    const wanted = this.#queries((query) => query.isActive() && this.#wanted.has(query.queryHash));
    this.#wanted.clear();
    for (const { queryHash, state } of wanted) if (state.fetchStatus !== 'idle') this.#wanted.add(queryHash);
    void this.#read(wanted);
    this.#readWanted();
  }

  async #read(queries: readonly Query[]): Promise<void> {
    const { client } = this.#options;
    const read = queries.filter(canRead);
    await Promise.all(
      read.map(({ queryKey }) => client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })),
    );
    this.#notBefore = Math.max(this.#notBefore, performance.now() + pauseMs(read));
  }
}

/** Resolves after `ms`, and at once where the signal is aborted. */
const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
