import { withTimeout, UnavailableError } from '@tocsin/core';
import type { ProduceChannel } from './produce-channel.ts';
import { type OutgoingMessage, PublishQueue, type QueueLimits } from './publish-queue.ts';
import { Publication } from './publication.ts';

export interface TopicPublisherOptions {
  /** With the installation's prefix. */
  readonly topic: string;
  readonly channel: ProduceChannel;
  readonly limits: QueueLimits;
  readonly lingerMs: number;
  /** Called when `pending` may have changed. */
  readonly onChange: () => void;
}

/** Batches the messages of many callers for one topic, with one request in flight. */
export class TopicPublisher {
  readonly #options: TopicPublisherOptions;
  readonly #queue: PublishQueue;
  readonly #publications = new Set<Publication>();
  #inFlight = 0;
  #linger: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: TopicPublisherOptions) {
    this.#options = options;
    this.#queue = new PublishQueue(options.limits);
  }

  /** Messages that wait or are being sent. */
  get pending(): number {
    return this.#queue.length + this.#inFlight;
  }

  /**
   * Resolves when the brokers have all of `messages`.
   *
   * @throws UnavailableError when the queue is full, or `deadlineMs` passes first.
   * @throws TooLargeError when the brokers refuse one message for its size; they have the others.
   */
  async publish(messages: readonly Omit<OutgoingMessage, 'publication'>[], deadlineMs: number): Promise<void> {
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    if (!this.#queue.fits(messages.length, bytes)) throw new UnavailableError('Too many messages wait for Kafka.');
    const publication = new Publication(messages.length, deadlineMs);
    const outgoing = messages.map((message) => ({ ...message, publication }));
    this.#queue.add(outgoing, publication);
    this.#publications.add(publication);
    this.#options.onChange();
    if (this.#queue.hasFullRequest) this.#send();
    else
      this.#linger ??= setTimeout(() => {
        this.#send();
      }, this.#options.lingerMs);
    try {
      await publication.settled;
    } finally {
      this.#publications.delete(publication);
      this.#options.onChange();
    }
  }

  /**
   * Sends the queued messages for at most `drainMs` of real time. The promises of callers that still wait then reject: their
   * messages may or may not be written. A request still in flight ends with the process.
   */
  async stop(drainMs: number): Promise<void> {
    this.#send();
    await withTimeout(this.#sending, drainMs, () => undefined);
    for (const publication of this.#publications) publication.fail(new UnavailableError('The publisher was stopped.'));
    const { channel } = this.#options;
    if (this.#sending === undefined) await channel.close();
    else void this.#sending.then(() => channel.close());
  }

  /** Sends until the queue is empty. Messages that arrive meanwhile go into the next request. */
  #send(): void {
    if (this.#sending !== undefined) return;
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#sending = this.#drain().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#send();
    });
  }

  async #drain(): Promise<void> {
    for (let request = this.#queue.take(); request.length > 0; request = this.#queue.take()) {
      this.#inFlight = request.length;
      await this.#options.channel.deliver(this.#options.topic, request);
      this.#inFlight = 0;
      this.#options.onChange();
    }
    clearTimeout(this.#linger);
    this.#linger = undefined;
  }
}
