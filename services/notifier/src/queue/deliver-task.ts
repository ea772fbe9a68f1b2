import { Batcher, type Clock, retry } from '@tocsin/core';
import { type DeliveryMethod, isFinal } from '../messages/delivery.ts';
import type { MessageResult, Decide, DeliveryResult, Slots, ClaimedDelivery, ClaimedQueue } from './recipient-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { ChannelConcurrency, SendConcurrency } from './send-concurrency.ts';
import type { Channel } from '../channels/channel.ts';
import { hasManyPages } from '../messages/bundle.ts';

/** The pause between two tries to write a result. */
export const RESULT_PAUSE_MS = 500;

export interface DeliverPorts {
  readonly store: DeliveryStore;
  readonly sender: Sender;
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
 * Each message is checked, written as begun, given to its provider, and its result is written. If the process dies between
 * hand-over and result, the process that claims the queue next sends the message again (promise 3, U17).
 */
export class Deliver {
  readonly #ports: DeliverPorts;
  readonly #concurrency: SendConcurrency;
  readonly #results: ResultWriter;
  #stopping = false;

  constructor(ports: DeliverPorts) {
    const { clock, onFailure, pause, sender, store, maxUnderWay } = ports;
    this.#ports = ports;
    this.#concurrency = new SendConcurrency(maxUnderWay, new ChannelConcurrency(sender.channels, maxUnderWay));
    this.#results = new ResultWriter({
      store,
      clock,
      onFailure,
      pause,
      decide: sender.decide,
      mayGoOn: (messageResult, messageResults) =>
        sender.mayGoOn?.(messageResult.queue) !== false && this.#concurrency.mayGoOn(messageResult, messageResults),
      onEnded: (ended) => {
        sender.onEnded?.(ended);
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
  async take(): Promise<boolean> {
    const { clock, sender, store } = this.#ports;
    const { claimed, fitting } = await this.#concurrency.claim((most, full) =>
      store.claim(
        clock.now(),
        most,
        sender.methods.filter((method) => !full.includes(method)),
      ),
    );
    if (claimed.length === 0) return false;
    if (this.#stopping) {
      await store.release(claimed);
      return false;
    }
    const { release, slots } = this.#concurrency.reserve(fitting.length);
    try {
      const queues = fitting.slice(0, slots);
      if (queues.length < claimed.length) await store.release(claimed.filter((queue) => !queues.includes(queue)));
      this.#start(await this.#begin(queues));
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
    const isOpen = !this.#stopping && !this.#concurrency.othersWait;
    const { release, slots } = this.#concurrency.reserve(isOpen ? new Set(userIds).size : 0);
    return {
      free: slots,
      freeFor: (method) => this.#concurrency.freeForNew(method),
      now: this.#ports.clock.now(),
      decide: this.#ports.sender.decide,
      start: (decided) => {
        this.#start(decided);
      },
      release,
    };
  }

  /**
   * Begins no further message, and tries to write each result once. If a result cannot be written, another process sends the
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

  async #begin(queues: readonly ClaimedQueue[]): Promise<readonly ClaimedDelivery[]> {
    const { clock, sender, store } = this.#ports;
    try {
      const held = sender.held?.(queues, this.underWay);
      return await store.begin(queues, clock.now(), sender.decide, held);
    } catch (error) {
      await store.release(queues).catch(this.#ports.onFailure);
      throw error;
    }
  }

  #start(decided: readonly ClaimedDelivery[]): void {
    for (const taken of decided) {
      if (isFinal(taken.delivery)) this.#ports.sender.onEnded?.(taken);
      else this.#concurrency.occupy(taken.queue, this.#sendAll(taken));
    }
  }

  /** One message after the other, for as long as the queue goes on. */
  async #sendAll(taken: ClaimedDelivery): Promise<void> {
    for (let next: ClaimedDelivery | undefined = taken; next !== undefined;) next = await this.#sendAndWrite(next);
  }

  /** Resolves with the next message of the queue, if there is one. */
  async #sendAndWrite(taken: ClaimedDelivery): Promise<ClaimedDelivery | undefined> {
    const { sender } = this.#ports;
    const { isPostponed, results } = await sender.send(taken);
    const [first, ...others] = results;
    const after = await this.#results.write({ ...first, queue: taken.queue, others, isPostponed });
    if (after !== undefined && !isPostponed) sender.onEnded?.(first);
    return after?.next;
  }
}

/** The results of one attempt for the deliveries of its message. */
export interface HandOverResult {
  readonly results: readonly [DeliveryResult, ...DeliveryResult[]];
  /** Nothing was sent, which counts as no try: {@link Sender.onEnded} is not called. */
  readonly isPostponed: boolean;
}

/** The differences between messages to users and calls of webhooks. `Deliver` has the common part. */
export interface Sender {
  /** The methods whose queues are claimed. */
  readonly methods: readonly DeliveryMethod[];
  /** The channels of those that have one. */
  readonly channels: ReadonlyMap<DeliveryMethod, Pick<Channel, 'slots'>>;
  readonly decide: Decide;
  /** Hands one message over, and resolves with the results of its deliveries. Never rejects; writes nothing. */
  send(taken: ClaimedDelivery): Promise<HandOverResult>;
  /** Called with each delivery that was tried or is final, once that is written. */
  onEnded?(change: DeliveryResult): void;
  /** The queues of which no message is begun now, and until when; absent: none. `underWay` are the queues of messages under way. */
  held?(queues: readonly ClaimedQueue[], underWay: readonly ClaimedQueue[]): ReadonlyMap<string, Date>;
  /** Whether a queue goes on at once with its next message; absent: yes. */
  mayGoOn?(queue: ClaimedQueue): boolean;
}

export interface ResultWriterParts {
  readonly store: Pick<DeliveryStore, 'recordResults' | 'release'>;
  readonly clock: Clock;
  /** Decides about the message with which a queue goes on. */
  readonly decide: Decide;
  /** Whether the queue of one of these results goes on. */
  readonly mayGoOn: (messageResult: MessageResult, messageResults: readonly MessageResult[]) => boolean;
  /** Called with each message that was dropped before it was sent, once that is written. */
  readonly onEnded: (ended: ClaimedDelivery) => void;
  /** Called when a result cannot be written yet. */
  readonly onFailure: (error: unknown) => void;
  /** Between two tries. */
  readonly pause: () => Promise<void>;
}

/** The next message of a queue after a written result; undefined where the queue was released. */
export interface AfterResult {
  readonly next: ClaimedDelivery | undefined;
}

/** Writes results, those that come at the same time in one transaction, and begins the next message of queues that go on. */
export class ResultWriter {
  readonly #parts: ResultWriterParts;
  readonly #results: Batcher<MessageResult, AfterResult | undefined>;
  /** For messages with many pages, each by itself. */
  readonly #large: Batcher<MessageResult, AfterResult | undefined>;
  #stopping = false;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
    const process = (messageResults: readonly MessageResult[]) => this.#writeAll(messageResults);
    this.#results = new Batcher({ process });
    this.#large = new Batcher({ process, maxItems: 1 });
  }

  /** From now on no queue goes on, and each result is tried once. */
  stop(): void {
    this.#stopping = true;
  }

  /**
   * Retries until the result is written, because the message would be sent again without it. Undefined where the delivery has
   * changed (another process sent it, or it was erased): the queue is then released at once.
   */
  async write(messageResult: MessageResult): Promise<AfterResult | undefined> {
    const { onFailure, pause, store } = this.#parts;
    const queue = hasManyPages(messageResult.others) ? this.#large : this.#results;
    const write = async (): Promise<AfterResult | undefined> => {
      const after = await queue.add(messageResult);
      if (after === undefined) await store.release([messageResult.queue]);
      return after;
    };
    return retry(write, { isWanted: (attempt) => attempt === 1 || !this.#stopping, onFailure, wait: pause });
  }

  /** Undefined for each result that was not written. */
  async #writeAll(messageResults: readonly MessageResult[]): Promise<readonly (AfterResult | undefined)[]> {
    const { clock, decide, mayGoOn, onEnded, store } = this.#parts;
    const { going = [], ending = [] } = Object.groupBy(messageResults, (messageResult) =>
      !this.#stopping && mayGoOn(messageResult, messageResults) ? 'going' : 'ending',
    );
    // Results that begin a next message are written last. If the first write fails, this process has begun no message that it does
    // not send.
    const written = [
      await store.recordResults(ending, clock.now()),
      await store.recordResults(going, clock.now(), decide),
    ];
    const sending = new Map<ClaimedQueue, ClaimedDelivery>();
    for (const next of written.flatMap((each) => each.next)) {
      if (isFinal(next.delivery)) onEnded(next);
      else sending.set(next.queue, next);
    }
    const taken = new Set(written.flatMap((each) => each.recorded));
    return messageResults.map((messageResult) =>
      taken.has(messageResult) ? { next: sending.get(messageResult.queue) } : undefined,
    );
  }
}
