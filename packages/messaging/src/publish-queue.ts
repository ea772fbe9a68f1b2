import type { PublishTicket } from './publish-ticket.ts';

/** One message to publish. Its partition is computed once, so that a retry cannot move it. */
export interface OutgoingMessage {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  /** Of the topic's schema; 1 by default. */
  readonly version?: number;
  /** Whether nobody wants it any more once its caller was told of an error. */
  readonly expires?: boolean;
  /** Of the trace to which it belongs. */
  readonly trace?: string | undefined;
  /** Key and value. */
  readonly bytes: number;
  readonly ticket: PublishTicket;
}

/** Upper bounds, inclusive. One message, or one publication into an empty queue, may be larger than a bound in bytes. */
export interface QueueLimits {
  readonly messages: number;
  readonly bytes: number;
  readonly messagesPerPartition: number;
  readonly bytesPerPartition: number;
  readonly bytesPerRequest: number;
}

/** Messages whose callers gave up are removed when they outnumber the others by this many. */
const SWEEP_SURPLUS = 1_000;

/** The messages for one topic, by partition in the order they came. Those whose callers gave up do not count. */
export class PublishQueue {
  readonly #limits: QueueLimits;
  readonly #lanes = new Map<number, OutgoingMessage[]>();
  readonly #waiting = new Set<OutgoingMessage>();
  #bytes = 0;
  #held = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Messages whose caller still waits. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Whether one partition alone fills a request. */
  get full(): boolean {
    for (const lane of this.#lanes.values()) if (lane.length >= this.#limits.messagesPerPartition) return true;
    return false;
  }

  /** Whether a publication of that size may be added; an empty queue accepts any. */
  fits(messages: number, bytes: number): boolean {
    if (this.length === 0) return true;
    return this.length + messages <= this.#limits.messages && this.#bytes + bytes <= this.#limits.bytes;
  }

  /** Adds a whole publication: all of `messages` have this ticket. */
  add(messages: readonly OutgoingMessage[], ticket: PublishTicket): void {
    for (const message of messages) {
      this.#lane(message).push(message);
      this.#waiting.add(message);
      this.#bytes += message.bytes;
    }
    this.#held += messages.length;
    ticket.whenSettled(() => {
      for (const message of messages) this.#leave(message);
      if (this.#held > 2 * this.length + SWEEP_SURPLUS) this.#sweep();
    });
  }

  /** Removes the next request: of each partition the oldest messages, in order. Empty when nothing waits. */
  take(): readonly OutgoingMessage[] {
    const request: OutgoingMessage[] = [];
    let bytes = 0;
    for (const [partition, lane] of [...this.#lanes]) {
      if (bytes >= this.#limits.bytesPerRequest) break;
      for (const message of this.#takeFrom(lane)) {
        request.push(message);
        bytes += message.bytes;
      }
      // A partition with messages left goes behind the others, so that none starves.
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
    this.#held -= seen;
    return taken;
  }

  #leave(message: OutgoingMessage): void {
    if (this.#waiting.delete(message)) this.#bytes -= message.bytes;
  }

  #sweep(): void {
    this.#held = 0;
    for (const [partition, lane] of [...this.#lanes]) {
      const wanted = lane.filter((message) => this.#waiting.has(message));
      this.#held += wanted.length;
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
