import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs, retry, TooLargeError, UnavailableError } from '@tocsin/core';
import type { ProducerSequence } from '@tocsin/events';
// Node finds the error classes of kafkajs only on its default export.
import kafkajs, { type Message, type Producer, type RecordMetadata } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';
import { isLate, PublishDeadline, moment, type Moment } from './publish-deadline.ts';
import type { OutgoingMessage } from './publish-queue.ts';
import type { SequenceCounter, NumberedAttempt } from './sequence-counter.ts';
import { sequenceHeaders, traceHeaders, versionHeaders } from './record-headers.ts';

export type ChannelProducer = Pick<Producer, 'send' | 'disconnect'>;

export interface ProduceChannelOptions {
  /** Resolves with a new connected producer, which has a producer id of its own. */
  readonly connect: () => Promise<ChannelProducer>;
  readonly logger: MessagingLogger;
  /** Numbers the messages; without it they have no numbers. */
  readonly counter?: SequenceCounter | undefined;
}

const APPENDED_LATE = 'The clock of the Kafka brokers was set. Please try again.';
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/**
 * Sends one request after another to one topic, and settles the publication of each caller.
 *
 * A producer is never used again after a rejected request: kafkajs rolls its sequence numbers back, and the broker would take the
 * next request of the same size for a repeat and acknowledge it without writing it. A producer is never replaced while a request
 * is pending, because that request could still be appended after later ones.
 */
export class ProduceChannel {
  readonly #options: ProduceChannelOptions;
  readonly #publishDeadline = new PublishDeadline();
  #producer: ChannelProducer | undefined;
  /** Shared by the calls that need a producer meanwhile. */
  #connecting: Promise<ChannelProducer> | undefined;
  #closed = false;

  constructor(options: ProduceChannelOptions) {
    this.#options = options;
  }

  /** Connects before the first request. Waits while the brokers are unavailable. @throws why a broker refuses us. */
  async open(): Promise<void> {
    await retry(() => this.#connected(), {
      isWanted: () => this.#producer === undefined && !this.#closed,
      onFailure: (error, attempt) => {
        if (!isTemporary(error)) throw error;
        this.#options.logger.warn({ err: error, attempt }, 'No producer can connect to Kafka yet.');
      },
    });
  }

  /**
   * Resolves when the publications of all `messages` are settled. Never throws. The order within a partition is kept; after a rejected
   * request some messages may be written twice. `topic` has the installation's prefix, and is the same in each call.
   */
  async deliver(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const parts: (readonly OutgoingMessage[])[] = [messages];
    let failures = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const wanted = part.filter(({ publication }) => publication.isAwaited);
      if (wanted.length === 0) continue;
      const attempt = this.#options.counter?.begin(wanted.map(({ partition }) => partition));
      try {
        const late = await this.#send(topic, wanted, attempt);
        for (const { publication } of late) publication.fail(new UnavailableError(APPENDED_LATE));
        attempt?.written((index) => wanted[index]?.publication.isAwaited === true);
        for (const { publication } of wanted) publication.written();
        failures = 0;
      } catch (error) {
        attempt?.failed();
        this.#discardProducer();
        if (isTooLarge(error)) parts.unshift(...this.#split(topic, wanted));
        else {
          this.#options.logger.warn(
            { err: error, messages: wanted.length },
            'Kafka refused a request; sending it again.',
          );
          parts.unshift(wanted);
          failures += 1;
          await pause(backOffMs(failures));
        }
      }
    }
  }

  /** Only while no request is in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.disconnect().catch(() => undefined);
  }

  async #connected(): Promise<ChannelProducer> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(): Promise<ChannelProducer> {
    if (this.#producer !== undefined) return this.#producer;
    const producer = await this.#options.connect();
    if (this.#closed) void producer.disconnect().catch(() => undefined);
    else this.#producer = producer;
    return producer;
  }

  /**
   * Returns the messages that the brokers' clock makes late: it was set since their last answer. Consumers refuse these
   * messages, so their callers must not get a success.
   */
  async #send(
    topic: string,
    messages: readonly OutgoingMessage[],
    attempt?: NumberedAttempt,
  ): Promise<readonly OutgoingMessage[]> {
    const producer = await this.#connected();
    const sent = moment();
    const records = messages.map((message, index) =>
      toRecord(message, this.#publishDeadline, sent, attempt?.sequences.get(index)),
    );
    const answer = await producer.send({ acks: -1, topic, messages: records });
    this.#publishDeadline.answered(answer, sent, moment());
    const missing = partitionsMissing(messages, answer);
    if (missing.length > 0) throw new Error(`The answer lacks the partitions ${missing.join(', ')}.`);
    const appendedAt = new Map(answer.map(({ logAppendTime, partition }) => [partition, Number(logAppendTime)]));
    return messages.filter(({ partition }, index) => isLate(records[index]?.headers, appendedAt.get(partition) ?? -1));
  }

  /** The first half is sent before the second, which keeps the order within each partition. */
  #split(topic: string, messages: readonly OutgoingMessage[]): readonly (readonly OutgoingMessage[])[] {
    const [only] = messages;
    if (messages.length > 1 || only === undefined) {
      const half = Math.ceil(messages.length / 2);
      return [messages.slice(0, half), messages.slice(half)];
    }
    this.#options.logger.warn({ topic, bytes: only.bytes }, 'A message is too large for its topic.');
    only.publication.refuse(new TooLargeError('The message is too large.'));
    return [];
  }

  #discardProducer(): void {
    const producer = this.#producer;
    this.#producer = undefined;
    void producer?.disconnect().catch(() => undefined);
  }
}

function toRecord(
  { partition, key, value, schemaVersion, expires = false, publication, trace }: OutgoingMessage,
  publishDeadline: PublishDeadline,
  now: Moment,
  sequence: ProducerSequence | undefined,
): Message {
  const late = publishDeadline.headers(expires ? publication.deadlineAtMs : undefined, now);
  const headers = { ...versionHeaders(schemaVersion), ...late, ...traceHeaders(trace), ...sequenceHeaders(sequence) };
  return { partition, key, value, ...(Object.keys(headers).length > 0 && { headers }) };
}

/** kafkajs can resolve without having sent everything, when the leader of a partition moves between its tries. */
function partitionsMissing(sent: readonly OutgoingMessage[], answer: readonly RecordMetadata[]): readonly number[] {
  const answered = new Set(answer.map(({ partition }) => partition));
  return [...new Set(sent.map(({ partition }) => partition))].filter((partition) => !answered.has(partition));
}

/**
 * Whether a later try may succeed. kafkajs ends after six tries where the controller has no producer id to give yet, and its error
 * is then not marked as retriable, although each of these tries was.
 */
function isTemporary(error: unknown): boolean {
  return (
    error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ||
    (error instanceof kafkajs.KafkaJSError && error.retriable)
  );
}

function isTooLarge(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { type } = cause as Error & { type?: unknown };
    if (typeof type === 'string' && TOO_LARGE.has(type)) return true;
  }
  return false;
}
