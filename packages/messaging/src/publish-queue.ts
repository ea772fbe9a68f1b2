import type { PublishTicket } from './publish-ticket.ts';

/** One message to publish. Its partition is computed once, so that a retry cannot change it. */
export interface OutgoingMessage {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  /** Schema version; 1 by default. */
  readonly version?: number;
  /** As in `PublishOptions`. */
  readonly expires?: boolean;
  /** The `traceparent` header. */
  readonly trace?: string | undefined;
  /** Of key and value together. */
  readonly bytes: number;
  readonly ticket: PublishTicket;
}

/** Upper bounds, inclusive. A single message, or a publication into an empty queue, may exceed a bound in bytes. */
export interface QueueLimits {
  readonly messages: number;
  readonly bytes: number;
  readonly messagesPerPartition: number;
  readonly bytesPerPartition: number;
  readonly bytesPerRequest: number;
}

/** Messages whose callers have stopped waiting are removed when they outnumber the others by this many. */
const SWEEP_SURPLUS = 1_000;

/** The queued messages of one topic: by partition, in order of arrival. Those whose callers have stopped waiting do not count. */
export class PublishQueue {
  readonly #limits: QueueLimits;
  /** By partition. The first is the next to be sent. */
  readonly #lanes = new Map<number, OutgoingMessage[]>();
  readonly #waiting = new Set<OutgoingMessage>();
  #bytes = 0;
  /** Messages in all lanes, those that do not count included. */
  #inLanes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Messages whose callers still wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Whether one partition has as many messages as a request may have of it. */
  get full(): boolean {
    for (const lane of this.#lanes.values()) if (lane.length >= this.#limits.messagesPerPartition) return true;
    return false;
  }

  /** Whether a publication of that size may be added. An empty queue accepts any. */
  fits(messages: number, bytes: number): boolean {
    if (this.length === 0) return true;
    return this.length + messages <= this.#limits.messages && this.#bytes + bytes <= this.#limits.bytes;
  }

  /** Adds one publication: all of `messages` have this ticket. */
  add(messages: readonly OutgoingMessage[], ticket: PublishTicket): void {
    for (const message of messages) {
      this.#lane(message).push(message);
      this.#waiting.add(message);
      this.#bytes += message.bytes;
    }
    this.#inLanes += messages.length;
    ticket.whenSettled(() => {
      for (const message of messages) this.#leave(message);
      if (this.#inLanes > 2 * this.length + SWEEP_SURPLUS) this.#sweep();
    });
  }

  /** Removes and returns the messages of the next request: the oldest of each partition, in order. Empty when nothing waits. */
  take(): readonly OutgoingMessage[] {
    const request: OutgoingMessage[] = [];
    let bytes = 0;
    for (const [partition, lane] of [...this.#lanes]) {
      if (bytes >= this.#limits.bytesPerRequest) break;
      for (const message of this.#takeFrom(lane)) {
        request.push(message);
        bytes += message.bytes;
      }
      // A partition with more messages goes to the end, so that none starves.
      this.#lanes.delete(partition);
      if (lane.length > 0) this.#lanes.set(partition, lane);
    }
    for (const message of request) this.#leave(message);
    return request;
  }

  #takeFrom(lane: OutgoingMessage[]): readonly OutgoingMessage[] {
    const { messagesPerPartition, bytesPerPartition } = this.#limits;
    const taken: OutgoingMessage[] = [];
    let bytes = 0;
    let seen = 0;
    for (const message of lane) {
      if (this.#waiting.has(message)) {
        const over = bytes + message.bytes > bytesPerPartition && taken.length > 0;
        if (over || taken.length >= messagesPerPartition) break;
        taken.push(message);
        bytes += message.bytes;
      }
      seen += 1;
    }
    lane.splice(0, seen);
    this.#inLanes -= seen;
    return taken;
  }

  #leave(message: OutgoingMessage): void {
    if (this.#waiting.delete(message)) this.#bytes -= message.bytes;
  }

  #sweep(): void {
    this.#inLanes = 0;
    for (const [partition, lane] of [...this.#lanes]) {
      const wanted = lane.filter((message) => this.#waiting.has(message));
      this.#inLanes += wanted.length;
      if (wanted.length === 0) this.#lanes.delete(partition);
      else this.#lanes.set(partition, wanted);
    }
  }

  #lane({ partition }: OutgoingMessage): OutgoingMessage[] {
    let lane = this.#lanes.get(partition);
    if (lane === undefined) this.#lanes.set(partition, (lane = []));
    return lane;
  }
}
