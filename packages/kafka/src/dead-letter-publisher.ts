import { type Clock, TooLargeError } from '@tocsin/core';
import { type DeadLetter, DeadLetters } from '@tocsin/events';
import type { FetchedRecord } from './fetched-record.ts';
import type { Publisher } from './ports.ts';

export interface DeadLetterPublisherOptions {
  readonly publisher: Publisher;
  readonly groupId: string;
  readonly clock: Clock;
}

/** Publishes records that fail for ever as dead letters. */
export class DeadLetterPublisher {
  readonly #options: DeadLetterPublisherOptions;

  constructor(options: DeadLetterPublisherOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the record is on the topic of dead letters with its original bytes. A value that is too large for a letter is
   * left out.
   *
   * @throws UnavailableError as the publisher does.
   */
  async publish(topic: string, partition: number, record: FetchedRecord, reason: string): Promise<void> {
    const { publisher, groupId, clock } = this.#options;
    const { key, value } = record.bytes;
    const letter: DeadLetter = {
      topic,
      partition,
      offset: record.offset,
      groupId,
      reason,
      ...(key === null ? {} : { key: key.toString('base64') }),
      ...(record.schemaVersion !== undefined && record.schemaVersion > 1 && { version: record.schemaVersion }),
      failedAt: clock.now().toISOString(),
    };
    try {
      await publisher.publish(DeadLetters, [value === null ? letter : { ...letter, value: value.toString('base64') }]);
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      await publisher.publish(DeadLetters, [{ ...letter, reason: `${reason} (its value is too large to be kept)` }]);
    }
  }
}
