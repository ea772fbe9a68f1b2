import { Batcher, type Clock, retry } from '@tocsin/core';
import type { Delivery, DeliveryMethod } from '../messages/delivery.ts';
import type {
  BeginResult,
  BegunMessage,
  Check,
  ClaimedQueue,
  DeliveryResult,
  MessageResult,
  Slots,
} from './recipient-queue.ts';
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
 * Each message is chosen, checked, begun, handed over to its provider, and its result is recorded. If the process dies between
 * hand-over and result, the process that claims the queue next sends the message again (promise 3, U17).
 */
export class Deliver {
  readonly #ports: DeliverPorts;
  readonly #concurrency: SendConcurrency;
  readonly #results: ResultRecorder;
  #stopping = false;

  constructor(ports: DeliverPorts) {
    const { clock, onFailure, pause, sender, store, maxUnderWay } = ports;
    this.#ports = ports;
    this.#concurrency = new SendConcurrency(maxUnderWay, new ChannelConcurrency(sender.channels, maxUnderWay));
    this.#results = new ResultRecorder({
      store,
      clock,
      onFailure,
      pause,
      check: sender.check,
      mayGoOn: (messageResult, messageResults) =>
        sender.mayGoOn?.(messageResult.queue) !== false && this.#concurrency.mayGoOn(messageResult, messageResults),
      onEnded: (delivery) => {
        sender.onEnded?.({ delivery });
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
    const isOpen = !this.#stopping && !this.#concurrency.othersWait;
    const { release, slots } = this.#concurrency.reserve(isOpen ? new Set(userIds).size : 0);
    return {
      free: slots,
      freeFor: (method) => this.#concurrency.freeForNew(method),
      now: this.#ports.clock.now(),
      check: this.#ports.sender.check,
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
    const { clock, sender, store } = this.#ports;
    try {
      const paused = sender.paused?.(queues, this.underWay);
      return await store.begin(queues, clock.now(), sender.check, paused);
    } catch (error) {
      await store.release(queues).catch(this.#ports.onFailure);
      throw error;
    }
  }

  /** Starts to hand the begun messages over. */
  #handOver({ begun, ended }: BeginResult): void {
    for (const delivery of ended) this.#ports.sender.onEnded?.({ delivery });
    for (const message of begun) this.#concurrency.occupy(message.queue, this.#handOverAll(message));
  }

  /** One message after the other, for as long as the queue goes on. */
  async #handOverAll(first: BegunMessage): Promise<void> {
    for (let next: BegunMessage | undefined = first; next !== undefined;) next = await this.#handOverAndRecord(next);
  }

  /** Resolves with the next message of the queue, if there is one. */
  async #handOverAndRecord(message: BegunMessage): Promise<BegunMessage | undefined> {
    const { sender } = this.#ports;
    const { isPostponed, results } = await sender.handOver(message);
    const [first, ...others] = results;
    const after = await this.#results.record({ ...first, queue: message.queue, others, isPostponed });
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
  readonly check: Check;
  /** Hands one message over, and resolves with the results of its deliveries. Never rejects; writes nothing. */
  handOver(message: BegunMessage): Promise<HandOverResult>;
  /** Called with each delivery that was tried or is final, once that is written. */
  onEnded?(change: DeliveryResult): void;
  /** The ids of queues whose receivers are not called now, and until when; absent: none. `underWay` are the queues of messages under way. */
  paused?(queues: readonly ClaimedQueue[], underWay: readonly ClaimedQueue[]): ReadonlyMap<string, Date>;
  /** Whether a queue goes on at once with its next message; absent: yes. */
  mayGoOn?(queue: ClaimedQueue): boolean;
}

export interface ResultRecorderParts {
  readonly store: Pick<DeliveryStore, 'recordResults' | 'release'>;
  readonly clock: Clock;
  /** Checks the message with which a queue goes on. */
  readonly check: Check;
  /** Whether the queue of one of these results goes on. */
  readonly mayGoOn: (messageResult: MessageResult, messageResults: readonly MessageResult[]) => boolean;
  /** Called with each delivery that the check ended, once that is written. */
  readonly onEnded: (delivery: Delivery) => void;
  /** Called when a result cannot be written yet. */
  readonly onFailure: (error: unknown) => void;
  /** Between two tries. */
  readonly pause: () => Promise<void>;
}

/** The next message of a queue after a recorded result; undefined where the queue was released. */
export interface AfterResult {
  readonly next: BegunMessage | undefined;
}

/** Records results, those that come at the same time in one transaction, and begins the next message of queues that go on. */
export class ResultRecorder {
  readonly #parts: ResultRecorderParts;
  readonly #results: Batcher<MessageResult, AfterResult | undefined>;
  /** For messages with many pages, each by itself. */
  readonly #large: Batcher<MessageResult, AfterResult | undefined>;
  #stopping = false;

  constructor(parts: ResultRecorderParts) {
    this.#parts = parts;
    const process = (messageResults: readonly MessageResult[]) => this.#recordAll(messageResults);
    this.#results = new Batcher({ process });
    this.#large = new Batcher({ process, maxItems: 1 });
  }

  /** From now on no queue goes on, and each result is tried once. */
  stop(): void {
    this.#stopping = true;
  }

  /**
   * Retries until the result is recorded, because the message would be sent again without it. Undefined where the delivery has
   * changed (another process sent it, or it was erased): the queue is then released at once.
   */
  async record(messageResult: MessageResult): Promise<AfterResult | undefined> {
    const { onFailure, pause, store } = this.#parts;
    const queue = hasManyPages(messageResult.others) ? this.#large : this.#results;
    const record = async (): Promise<AfterResult | undefined> => {
      const after = await queue.add(messageResult);
      if (after === undefined) await store.release([messageResult.queue]);
      return after;
    };
    return retry(record, { isWanted: (attempt) => attempt === 1 || !this.#stopping, onFailure, wait: pause });
  }

  /** Undefined for each result that was not recorded. */
  async #recordAll(messageResults: readonly MessageResult[]): Promise<readonly (AfterResult | undefined)[]> {
    const { check, clock, mayGoOn, onEnded, store } = this.#parts;
    const { going = [], ending = [] } = Object.groupBy(messageResults, (messageResult) =>
      !this.#stopping && mayGoOn(messageResult, messageResults) ? 'going' : 'ending',
    );
    // Results that begin a next message are recorded last. If the first write fails, this process has begun no message that it does
    // not send.
    const written = [
      await store.recordResults(ending, clock.now()),
      await store.recordResults(going, clock.now(), check),
    ];
    for (const delivery of written.flatMap(({ ended }) => ended)) onEnded(delivery);
    const next = new Map(written.flatMap(({ begun }) => begun).map((message) => [message.queue, message]));
    const recorded = new Set(written.flatMap((each) => each.recorded));
    return messageResults.map((messageResult) =>
      recorded.has(messageResult) ? { next: next.get(messageResult.queue) } : undefined,
    );
  }
}
