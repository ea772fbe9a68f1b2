import type { mongo, Connection } from 'mongoose';
import { LEASES } from './leases.ts';
import { OUTBOX } from './outbox-rows.ts';
import { Repeating } from './repeating.ts';

export interface OutboxWatchOptions {
  readonly connection: Connection;
  /** Rows that this process added are not reported. */
  readonly process: string;
  /** Called when another process has committed a row of this topic. */
  readonly onRow: (topic: string) => void;
  /** Called when a process may have released leases. */
  readonly onReleased: () => void;
  /** Called when the stream is open. Earlier changes may be missed. */
  readonly onWatching: () => void;
  readonly onError: (error: unknown) => void;
}

interface Change {
  readonly operationType: 'insert' | 'update' | 'replace' | 'delete';
  readonly fullDocument?: { readonly topic: string };
}

/**
 * A release removes fields of the document of leases. MongoDB reports a change as a replacement where that is shorter than what
 * was removed, also of some takes.
 */
const RELEASE = {
  'ns.coll': LEASES,
  $or: [
    { operationType: { $in: ['replace', 'delete'] } },
    { operationType: 'update', 'updateDescription.removedFields.0': { $exists: true } },
  ],
};
/** How long the server holds a request while nothing changes; less than the time-out of the socket. */
const MAX_AWAIT_MS = 3_000;
const RETRY_MS = 1_000;

/**
 * Reports what other processes commit, by a change stream. It only saves time: each process looks for itself once a second, so
 * an event that is missed delays a row by that.
 */
export class OutboxWatch {
  readonly #options: OutboxWatchOptions;
  readonly #watching: Repeating;
  #isStopped = true;
  #stream: mongo.ChangeStream | undefined;

  constructor(options: OutboxWatchOptions) {
    this.#options = options;
    this.#watching = new Repeating({
      everyMs: RETRY_MS,
      work: () => this.#watch(),
      onError: (error) => {
        if (!this.#isStopped) options.onError(error);
      },
    });
  }

  start(): void {
    this.#isStopped = false;
    this.#watching.start();
  }

  /** Stops the reports. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#stream?.close().catch(() => undefined);
    await this.#watching.stop();
  }

  async #watch(): Promise<void> {
    const { connection, process, onWatching } = this.#options;
    if (connection.db === undefined) throw new TypeError('The connection was never opened.');
    const ofOthers = { operationType: 'insert', 'ns.coll': OUTBOX, 'fullDocument.process': { $ne: process } };
    const stream = connection.db.watch<mongo.Document, Change & mongo.ChangeStreamDocument>(
      [{ $match: { $or: [ofOthers, RELEASE] } }, { $project: { operationType: 1, 'fullDocument.topic': 1 } }],
      { maxAwaitTimeMS: MAX_AWAIT_MS },
    );
    this.#stream = stream;
    try {
      // The first request opens the stream.
      const first = await stream.tryNext();
      onWatching();
      if (first !== null) this.#report(first);
      // It ends where the database is dropped.
      while (!this.#isStopped && (await stream.hasNext())) this.#report(await stream.next());
    } finally {
      this.#stream = undefined;
      await stream.close().catch(() => undefined);
    }
  }

  #report({ operationType, fullDocument }: Change): void {
    if (operationType !== 'insert') this.#options.onReleased();
    else if (fullDocument !== undefined) this.#options.onRow(fullDocument.topic);
  }
}
