import { collectionOf, type Connection } from '@tocsin/mongo';
import { SOCKET_FAILURES } from '../../messages/delivery-document.ts';
import type { SlackSocketApp } from './app.ts';

/** Why an app of Slack has no connection, and since when. */
export interface SocketFailureOfApp {
  readonly since: Date;
  /** Of the last try, without secrets. */
  readonly reason: string;
  readonly integrationIds: readonly string[];
}

interface FailureDocument extends SocketFailureOfApp {
  /** The key of the app. */
  readonly _id: string;
  /** Of the last try. */
  readonly at: Date;
}

/** A failure without a try for as long is over: the app has no integration any more. Tries come every minute. */
const OVER_MS = 5 * 60_000;

/** Why apps of Slack have no connections, for all processes. */
export class SocketFailures {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async note({ integrationIds, key }: SlackSocketApp, reason: string, now: Date): Promise<void> {
    await this.#removeOld(now);
    await this.#failures().updateOne(
      { _id: key },
      { $set: { reason, integrationIds: [...integrationIds], at: now }, $setOnInsert: { since: now } },
      { upsert: true },
    );
  }

  /** The apps have connections. */
  async forget(apps: readonly Pick<SlackSocketApp, 'key'>[]): Promise<void> {
    await this.#failures().deleteMany({ _id: { $in: apps.map(({ key }) => key) } });
  }

  async all(now: Date): Promise<readonly SocketFailureOfApp[]> {
    return this.#failures()
      .find({ at: { $gt: new Date(now.getTime() - OVER_MS) } }, { projection: { _id: 0, at: 0 } })
      .toArray();
  }

  async #removeOld(now: Date): Promise<void> {
    await this.#failures().deleteMany({ at: { $lte: new Date(now.getTime() - OVER_MS) } });
  }

  #failures() {
    return collectionOf<FailureDocument>(this.#connection, SOCKET_FAILURES);
  }
}
