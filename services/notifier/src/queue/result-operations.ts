import { Batcher, type Clock, retry } from '@tocsin/core';
import { hasManyPages } from '../messages/bundle.ts';
import type { Delivery } from '../messages/delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { BegunMessage, Check, MessageResult } from './message-result.ts';

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
