import { collectionOf, type Connection, type Lease, type Leases } from '@tocsin/mongo';
import { SOCKET_FAILURES } from '../../messages/delivery-document.ts';
import type { SlackSocketApp } from './app.ts';
import type { SocketFailureOfApp } from './readiness.ts';

/** The leases of connections, by the keys of their apps. */
export class SocketLeases {
  readonly #leases: Pick<Leases, 'lease' | 'take' | 'release'>;
  #wanted: ReadonlyMap<string, Lease> = new Map();

  constructor(leases: Pick<Leases, 'lease' | 'take' | 'release'>) {
    this.#leases = leases;
  }

  /** Takes or renews the leases of these apps that are free, and gives up all others. Resolves with the keys of those that it holds. */
  async hold(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const before = this.#wanted;
    const wanted = new Map(keys.map((key) => [key, before.get(key) ?? this.#leases.lease(key)]));
    const given = [...before].flatMap(([key, lease]) => (wanted.has(key) ? [] : [lease]));
    if (given.length > 0) await this.#leases.release(given);
    this.#wanted = wanted;
    await this.#leases.take([...wanted.values()].map((lease) => ({ lease })));
    return new Set(keys.filter((key) => wanted.get(key)?.isHeld === true));
  }

  /** Lets other processes take all of them. */
  async release(): Promise<void> {
    if (this.#wanted.size > 0) await this.#leases.release([...this.#wanted.values()]);
  }
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
