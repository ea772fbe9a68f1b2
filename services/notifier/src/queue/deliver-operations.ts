import type { Clock } from '@tocsin/core';
import type { DeliveryStore } from './delivery-store.ts';
import type { MessageKind } from './message-kind.ts';
import type { BeginResult, BegunMessage, Slots } from './message-result.ts';
import type { ClaimedQueue } from './recipient-queue.ts';
import { ResultRecorder } from './result-operations.ts';
import { ChannelConcurrency, SendConcurrency } from './send-concurrency.ts';

/** The pause between two tries to write a result. */
export const RESULT_PAUSE_MS = 500;

export interface DeliverPorts {
  readonly store: DeliveryStore;
  readonly kind: MessageKind;
  readonly clock: Clock;
  /** Called when a result cannot be written yet; it is tried again after `pause` (real time), until the stop. */
  readonly onFailure: (error: unknown) => void;
  readonly pause: () => Promise<void>;
  /** How many messages may be under way: begun, and without a result. */
  readonly maxUnderWay: number;
}

/** Slots that are reserved until they are released. */
export interface ReservedSlots extends Slots {
  readonly release: () => void;
}

/**
 * Sends the messages of claimed queues, at most `maxUnderWay` at a time: a message that ends frees its slot for the next queue.
 * Each message is chosen, checked, begun, handed over to its provider, and its result is recorded. If the process dies between
 * hand-over and result, the process that claims the queue next sends the message again (promise 3, U17).
 */
export class DeliverMessages {
  readonly #ports: DeliverPorts;
  readonly #concurrency: SendConcurrency;
  readonly #results: ResultRecorder;
  #stopping = false;

  constructor(ports: DeliverPorts) {
    const { clock, onFailure, pause, kind, store, maxUnderWay } = ports;
    this.#ports = ports;
    this.#concurrency = new SendConcurrency(maxUnderWay, new ChannelConcurrency(kind.channels, maxUnderWay));
    this.#results = new ResultRecorder({
      store,
      clock,
      onFailure,
      pause,
      check: kind.check,
      mayGoOn: (messageResult, messageResults) =>
        kind.mayBegin !== false &&
        kind.mayGoOn?.(messageResult.queue) !== false &&
        this.#concurrency.mayGoOn(messageResult, messageResults),
      onEnded: (delivery) => {
        kind.onEnded?.({ delivery });
      },
    });
  }

  /** The queues of the messages that are under way: begun, and without a result. */
  get underWay(): readonly ClaimedQueue[] {
    return this.#concurrency.underWay;
  }

  /** Calls `listener` whenever a slot becomes free. */
  onFreeSlot(listener: () => void): void {
    this.#concurrency.onFreeSlot(listener);
  }

  /**
   * Claims due queues and begins the next message of each, at most one for each free slot. Resolves with whether more may be due.
   * Does not wait for hand-overs.
   *
   * @throws the error of the store. The queue of a message that was not begun is released, which counts as no try.
   */
  async beginDue(): Promise<boolean> {
    const { clock, kind, store } = this.#ports;
    if (kind.mayBegin === false) return false;
    const { claimed, withSlot } = await this.#concurrency.claim((limit, full) =>
      store.claim(
        clock.now(),
        limit,
        kind.methods.filter((method) => !full.includes(method)),
      ),
    );
    if (claimed.length === 0) return false;
    if (this.#stopping) {
      await store.release(claimed);
      return false;
    }
    const { release, slots } = this.#concurrency.reserve(withSlot.length);
    try {
      const queues = withSlot.slice(0, slots);
      if (queues.length < claimed.length) await store.release(claimed.filter((queue) => !queues.includes(queue)));
      this.#handOver(await this.#begin(queues));
    } finally {
      release();
    }
    return !this.#concurrency.isFull;
  }

  /**
   * Reserves slots for messages that are begun in the transaction that inserts them: at most one for each of `userIds`, and none
   * while earlier messages wait for a slot.
   */
  reserveSlots(userIds: readonly string[]): ReservedSlots {
    const isOpen = this.#ports.kind.mayBegin !== false && !this.#stopping && !this.#concurrency.othersWait;
    const { release, slots } = this.#concurrency.reserve(isOpen ? new Set(userIds).size : 0);
    return {
      free: slots,
      freeFor: (method) => this.#concurrency.freeForNew(method),
      now: this.#ports.clock.now(),
      check: this.#ports.kind.check,
      handOver: (result) => {
        this.#handOver(result);
      },
      release,
    };
  }

  /**
   * Begins no further message, and tries to record each result once. If a result cannot be recorded, another process sends the
   * message again.
   */
  stop(): void {
    this.#stopping = true;
    this.#results.stop();
  }

  /** Resolves when no message is under way or being begun. */
  async settled(): Promise<void> {
    await this.#concurrency.settled();
  }

  async #begin(queues: readonly ClaimedQueue[]): Promise<BeginResult> {
    const { clock, kind, store } = this.#ports;
    try {
      const paused = kind.paused?.(queues, this.underWay);
      return await store.begin(queues, clock.now(), kind.check, paused);
    } catch (error) {
      await store.release(queues).catch(this.#ports.onFailure);
      throw error;
    }
  }

  /** Starts to hand the begun messages over. */
  #handOver({ begun, ended }: BeginResult): void {
    for (const delivery of ended) this.#ports.kind.onEnded?.({ delivery });
    for (const message of begun) this.#concurrency.occupy(message.queue, this.#handOverAll(message));
  }

  /** One message after the other, for as long as the queue goes on. */
  async #handOverAll(first: BegunMessage): Promise<void> {
    for (let next: BegunMessage | undefined = first; next !== undefined;) next = await this.#handOverAndRecord(next);
  }

  /** Resolves with the next message of the queue, if there is one. */
  async #handOverAndRecord(message: BegunMessage): Promise<BegunMessage | undefined> {
    const { kind } = this.#ports;
    const { isPostponed, results } = await kind.handOver(message);
    const [first, ...others] = results;
    const after = await this.#results.record({ ...first, queue: message.queue, others, isPostponed });
    if (after !== undefined && !isPostponed) kind.onEnded?.(first);
    return after?.next;
  }
}
