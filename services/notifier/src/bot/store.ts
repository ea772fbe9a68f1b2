import { collectionOf, type Connection } from '@tocsin/mongo';
import { BOT_FAILURES } from '../messages/delivery-document.ts';
import type { BotFailure } from './readiness.ts';

interface FailureDocument extends BotFailure {
  readonly _id: string;
}

/** The bot of the installation. */
const BOT = 'telegram';

const NOTED_EVERY_MS = 60_000;

/** Why the updates of the bot cannot be read, for all processes. */
export class BotFailures {
  readonly #connection: Connection;
  /** When this process last noted that the updates are read. */
  #readAt = new Date(0);

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores the result of a read: why it failed, or undefined. That it succeeded is written once a minute: another process may have failed. */
  async note(reason: string | undefined, now: Date): Promise<void> {
    if (reason !== undefined) {
      this.#readAt = new Date(0);
      await this.#failures().updateOne(
        { _id: BOT },
        { $set: { reason }, $setOnInsert: { since: now } },
        { upsert: true },
      );
    } else if (now.getTime() - this.#readAt.getTime() >= NOTED_EVERY_MS) {
      await this.#failures().deleteOne({ _id: BOT });
      this.#readAt = now;
    }
  }

  async find(): Promise<BotFailure | undefined> {
    const found = await this.#failures().findOne({ _id: BOT }, { projection: { _id: 0 } });
    return found ?? undefined;
  }

  #failures() {
    return collectionOf<FailureDocument>(this.#connection, BOT_FAILURES);
  }
}
