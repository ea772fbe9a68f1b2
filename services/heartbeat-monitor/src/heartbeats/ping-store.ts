import type { mongo } from 'mongoose';
import { Batcher } from '@tocsin/core';
import {
  asUnavailable,
  type Connection,
  inTransaction,
  isTimeLimitPassed,
  orUnavailable,
  type Session,
} from '@tocsin/mongo';
import { type HeartbeatDocument, toHeartbeat } from './heartbeat-document.ts';
import { applyPing, ContendedError, type Heartbeat } from './heartbeat.ts';

/** Pings in one write, and such writes at a time. */
const MAX_PINGS = 500;
const MAX_PING_WRITES = 2;
/** How long the database may work on pings that are written together, in milliseconds. */
const PINGS_TIMEOUT_MS = 1_000;
const PING_TRANSACTION_TIMEOUT_MS = 5_000;
/** After so many conflicts another process holds one of the heartbeats of a transaction of pings. */
const MAX_PING_TRIES = 3;
/** So many pings are written alone where one of them is of a heartbeat that a transaction holds. */
const MAX_PINGS_ALONE = 16;

/** A ping of the heartbeat `name`, which has no effect where that belongs to another team than `teamId`, if one is given. */
export interface Ping {
  readonly name: string;
  readonly at: Date;
  readonly teamId: string | undefined;
}

/** The parts of {@link PingStore}. */
export interface PingStoreOptions {
  readonly connection: Connection;
  readonly heartbeats: mongo.Collection<HeartbeatDocument>;
  /** Replaces heartbeats in a transaction, and adds the commands of these changes to the outbox. */
  readonly write: (session: Session, changes: readonly HeartbeatChange[]) => Promise<void>;
}

/** A heartbeat as it was read, and as a transaction replaces it. */
export interface HeartbeatChange {
  readonly document: HeartbeatDocument;
  readonly before: Heartbeat;
  readonly after: Heartbeat;
}

/** Writes pings to heartbeats, those that come at the same time together. */
export class PingStore {
  readonly #options: PingStoreOptions;
  readonly #batches = new Batcher<Ping, boolean | undefined>({
    process: (pings) => this.#writeTogether(pings),
    maxItems: MAX_PINGS,
    maxConcurrent: MAX_PING_WRITES,
  });

  constructor(options: PingStoreOptions) {
    this.#options = options;
  }

  /** As `HeartbeatStore.pingInTime`. */
  async write(ping: Ping): Promise<boolean> {
    return (await this.#batches.add(ping)) ?? this.#writeAlone(ping);
  }

  /**
   * Writes pings in one command, and those that the command does not reach in one transaction. Resolves for each ping: true
   * where it is written, false where the caller has to read the heartbeat, undefined where the ping is to be written alone.
   */
  async #writeTogether(pings: readonly Ping[]): Promise<readonly (boolean | undefined)[]> {
    const isWritten = await this.#writeInTime(pings);
    if (isWritten === true || pings.length === 1) return pings.map(() => isWritten);
    return this.#writeInTransaction(pings);
  }

  /**
   * Writes pings in one command. Its result does not say which pings found no heartbeat. It writes only
   * heartbeats that are not due, so it seldom meets a transaction that expires heartbeats: only where one fell due since its ping
   * arrived. There the server waits for the end of the transaction, and a monitor that died in it would hold up all pings. So it
   * ends after a second, with undefined.
   */
  async #writeInTime(pings: readonly Ping[]): Promise<boolean | undefined> {
    const operations = pings.map((ping) => ({ updateOne: pingUpdate(ping) }));
    const options = { ordered: false, maxTimeMS: PINGS_TIMEOUT_MS };
    try {
      const { matchedCount } = await this.#options.heartbeats.bulkWrite(operations, options);
      return matchedCount === pings.length;
    } catch (error) {
      if (isTimeLimitPassed(error)) return undefined;
      throw asUnavailable(error);
    }
  }

  /**
   * Writes pings of heartbeats that are due too. A transaction conflicts at once with one that holds a
   * heartbeat, so then each half is tried by itself, and a few pings are left to be written alone.
   */
  async #writeInTransaction(pings: readonly Ping[]): Promise<readonly (boolean | undefined)[]> {
    let tries = 0;
    try {
      const writeNext = (session: Session) => {
        if ((tries += 1) > MAX_PING_TRIES) throw new ContendedError('Other processes write the same heartbeats.');
        return this.#writeIn(session, pings);
      };
      return await inTransaction(this.#options.connection, writeNext, { deadlineMs: PING_TRANSACTION_TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof ContendedError)) throw error;
      if (pings.length <= MAX_PINGS_ALONE) return pings.map(() => undefined);
      const half = Math.ceil(pings.length / 2);
      const first = await this.#writeInTransaction(pings.slice(0, half));
      return [...first, ...(await this.#writeInTransaction(pings.slice(half)))];
    }
  }

  async #writeIn(session: Session, pings: readonly Ping[]): Promise<readonly boolean[]> {
    const names = [...new Set(pings.map(({ name }) => name))];
    const found = await this.#options.heartbeats.find({ name: { $in: names } }, { session }).toArray();
    const present = new Map(found.map((document) => [document.name, toHeartbeat(document)]));
    const written = pings.map(({ at, name, teamId }) => {
      const heartbeat = present.get(name);
      if (heartbeat === undefined || (teamId !== undefined && heartbeat.ownerTeamId !== teamId)) return false;
      present.set(name, applyPing(heartbeat, at));
      return true;
    });
    const changes = found.flatMap((document) => {
      const after = present.get(document.name);
      const before = toHeartbeat(document);
      return after === undefined || after.lastPingAt === before.lastPingAt ? [] : [{ document, before, after }];
    });
    if (changes.length === 0) return written;
    await this.#options.write(session, changes);
    return written;
  }

  async #writeAlone(ping: Ping): Promise<boolean> {
    const { filter, update } = pingUpdate(ping);
    return (await orUnavailable(this.#options.heartbeats.updateOne(filter, update))).matchedCount === 1;
  }
}

const pingUpdate = ({ name, at, teamId }: Ping) => {
  const until = { $add: [at, '$intervalMs'] };
  return {
    filter: { name, nextDueAt: { $gt: at }, ...(teamId !== undefined && { ownerTeamId: teamId }) },
    update: [
      {
        $set: {
          lastPingAt: { $max: ['$lastPingAt', at] },
          expiresAt: { $max: ['$expiresAt', until] },
          nextDueAt: { $max: ['$nextDueAt', until] },
          revision: { $add: ['$revision', 1] },
        },
      },
    ],
  };
};
