import type { Publication } from './publication.ts';

/** One message to publish. Its partition is computed once, so that a retry cannot change it. */
export interface OutgoingMessage {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  /** 1 by default. */
  readonly schemaVersion?: number;
  /** As in `PublishOptions`. */
  readonly expires?: boolean;
  /** The `traceparent` header. */
  readonly trace?: string | undefined;
  /** The size of key and value together. */
  readonly bytes: number;
  readonly publication: Publication;
}

/** Upper bounds, inclusive. A publication into an empty queue may exceed any bound, and a single message each bound in bytes. */
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
  readonly #byPartition = new Map<number, OutgoingMessage[]>();
  readonly #waiting = new Set<OutgoingMessage>();
  #bytes = 0;
  /** Messages of all partitions, those that do not count included. */
  #stored = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Messages whose callers still wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Whether one partition has as many messages as a request may have of it. */
  get hasFullRequest(): boolean {
    for (const queue of this.#byPartition.values()) if (queue.length >= this.#limits.messagesPerPartition) return true;
    return false;
  }

  /** Whether a publication of that size may be added. An empty queue accepts any. */
  fits(messages: number, bytes: number): boolean {
    if (this.length === 0) return true;
    return this.length + messages <= this.#limits.messages && this.#bytes + bytes <= this.#limits.bytes;
  }

  /** Adds the messages of one publication. */
  add(messages: readonly OutgoingMessage[], publication: Publication): void {
    for (const message of messages) {
      this.#ofPartition(message).push(message);
      this.#waiting.add(message);
      this.#bytes += message.bytes;
    }
    this.#stored += messages.length;
    publication.onSettled(() => {
      for (const message of messages) this.#discount(message);
      if (this.#stored > 2 * this.length + SWEEP_SURPLUS) this.#sweep();
    });
  }

  /** Removes and returns the messages of the next request: the oldest of each partition, in order. Empty when nothing waits. */
  take(): readonly OutgoingMessage[] {
    const request: OutgoingMessage[] = [];
    let bytes = 0;
    for (const [partition, queue] of [...this.#byPartition]) {
      if (bytes >= this.#limits.bytesPerRequest) break;
      for (const message of this.#takeFrom(queue)) {
        request.push(message);
        bytes += message.bytes;
      }
      // A partition with more messages goes to the end, so that none starves.
      this.#byPartition.delete(partition);
      if (queue.length > 0) this.#byPartition.set(partition, queue);
    }
    for (const message of request) this.#discount(message);
    return request;
  }

  #takeFrom(queue: OutgoingMessage[]): readonly OutgoingMessage[] {
    const { messagesPerPartition, bytesPerPartition } = this.#limits;
    const taken: OutgoingMessage[] = [];
    let bytes = 0;
    let seen = 0;
    for (const message of queue) {
      if (this.#waiting.has(message)) {
        const over = bytes + message.bytes > bytesPerPartition && taken.length > 0;
        if (over || taken.length >= messagesPerPartition) break;
        taken.push(message);
        bytes += message.bytes;
      }
      seen += 1;
    }
    queue.splice(0, seen);
    this.#stored -= seen;
    return taken;
  }

  #discount(message: OutgoingMessage): void {
    if (this.#waiting.delete(message)) this.#bytes -= message.bytes;
  }

  #sweep(): void {
    this.#stored = 0;
    for (const [partition, queue] of [...this.#byPartition]) {
      const wanted = queue.filter((message) => this.#waiting.has(message));
      this.#stored += wanted.length;
      if (wanted.length === 0) this.#byPartition.delete(partition);
      else this.#byPartition.set(partition, wanted);
    }
  }

  #ofPartition({ partition }: OutgoingMessage): OutgoingMessage[] {
    let queue = this.#byPartition.get(partition);
    if (queue === undefined) this.#byPartition.set(partition, (queue = []));
    return queue;
  }
}
