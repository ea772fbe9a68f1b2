import { AlertCommands } from '@tocsin/contracts';
import {
  asUnavailable,
  collectionOf,
  DueWork,
  inTransaction,
  isDuplicateKey,
  orUnavailable,
  SerialQueue,
  whenCommitted,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import { alertCommand, type AlertIdOf } from '../domain/alert-commands.ts';
import { expired, isExpired, type Heartbeat } from '../domain/heartbeat.ts';
import type { Beat, Outage } from '../domain/outage.ts';
import { ContendedError, type Expiry, type HeartbeatStore } from '../ports/heartbeat-store.ts';
import { Batcher } from './batcher.ts';
import { documentOf, HEARTBEATS, heartbeatOf, type HeartbeatDocument } from './heartbeat-documents.ts';
import { MongoBeats } from './mongo-beats.ts';

/** What {@link MongoHeartbeatStore} needs. */
export interface MongoHeartbeatStoreOptions {
  readonly connection: Connection;
  /** Relays `alert-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
  readonly alertIdOf: AlertIdOf;
  readonly logger: { error(fields: object, message: string): void };
}

/** How often a change is decided anew because another write came first. */
const MOST_TRIES = 50;
/** How long a change waits for those of the same heartbeat before it. */
const CHANGE_WAIT_LIMIT_MS = 5_000;
/** How long the database may work on one read, in milliseconds. */
const LONGEST_READ_MS = 2_000;
/** Heartbeats that expire in one transaction. */
const MAX_EXPIRIES = 200;
/** Heartbeats that expire in one turn while requests change them. */
const MAX_CHANGING = 20;
const ABSENT = { ignoreUndefined: true };
/** Before any heartbeat is due. */
const NOTHING: Expiry = { dueBy: () => new Date(0), outages: [], onExpired: () => undefined };

/**
 * Heartbeats in MongoDB: one document each, acknowledged by the majority. A change that opens or closes no alert is one write, whose
 * filter holds what it depends on. One that does is a transaction with the row of its command in the outbox. So any number of
 * monitors and pings may meet.
 */
export class MongoHeartbeatStore implements HeartbeatStore {
  readonly #options: MongoHeartbeatStoreOptions;
  readonly #heartbeats: mongo.Collection<HeartbeatDocument>;
  readonly #beats: MongoBeats;
  readonly #dueWork: DueWork<HeartbeatDocument, Date>;
  /**
   * By name, the changes that this process writes one after the other. At once, all but one of them would be written in vain, again
   * and again.
   */
  readonly #changes = new Map<string, SerialQueue>();
  readonly #pings = new Batcher((pings: readonly Ping[]) => this.#ping(pings));
  #expiry = NOTHING;

  constructor(options: MongoHeartbeatStoreOptions) {
    const { connection, logger } = options;
    this.#options = options;
    this.#heartbeats = collectionOf(connection, HEARTBEATS);
    this.#beats = new MongoBeats(connection);
    this.#dueWork = new DueWork<HeartbeatDocument, Date>({
      connection,
      collection: HEARTBEATS,
      clock: { now: () => this.#expiry.dueBy() },
      logger,
      batch: MAX_EXPIRIES,
      condition: () => ({ name: { $nin: [...(this.#expiry.slowWrites?.names ?? [])] } }),
      prepare: (_, now) => Promise.resolve(now),
      process: (session, due, now) => this.#expireTogether(session, due, now),
      // A heartbeat that cannot be written is tried again.
      leaveOut: (_, { name }, reason) => Promise.reject(new Error(`Heartbeat [${name}] cannot expire: ${reason}`)),
      // Each turn of a monitor looks, and nothing that is written is due before the next one.
      wake: () => undefined,
    });
  }

  async insert(heartbeat: Heartbeat): Promise<boolean> {
    try {
      await this.#heartbeats.insertOne(documentOf(heartbeat, 1), ABSENT);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw asUnavailable(error);
    }
  }

  async find(name: string): Promise<Heartbeat | undefined> {
    const found = await this.#read(name);
    return found && heartbeatOf(found);
  }

  async list(teamId?: string): Promise<readonly Heartbeat[]> {
    const wanted = teamId === undefined ? {} : { ownerTeamId: teamId };
    const found = this.#heartbeats.find(wanted, { maxTimeMS: LONGEST_READ_MS }).sort({ createdAt: 1, _id: 1 });
    return (await orUnavailable(found.toArray())).map(heartbeatOf);
  }

  async bytesOfTeam(teamId: string): Promise<number> {
    const stages = [
      { $match: { ownerTeamId: teamId } },
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ];
    const summing = this.#heartbeats.aggregate<{ readonly bytes: number }>(stages, { maxTimeMS: LONGEST_READ_MS });
    const [sum] = await orUnavailable(summing.toArray());
    return sum?.bytes ?? 0;
  }

  pingInTime(name: string, at: Date, teamId: string | undefined): Promise<boolean> {
    return this.#pings.add({ name, at, teamId });
  }

  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#inTurn(name, () => this.#changeNow(name, change));
  }

  remove(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#inTurn(name, () => this.#changeNow(name, change, true));
  }

  beat(beat: Beat): Promise<readonly Outage[]> {
    return this.#beats.beat(beat);
  }

  async expire(expiry: Expiry, signal: AbortSignal): Promise<void> {
    this.#expiry = expiry;
    await orUnavailable(this.#dueWork.activate(signal));
    await this.#expireChanging(expiry);
  }

  pending(now: Date): Promise<number> {
    return orUnavailable(this.#heartbeats.countDocuments({ nextDueAt: { $lte: now } }));
  }

  nextDueAt(): Promise<Date | undefined> {
    return orUnavailable(this.#dueWork.earliest());
  }

  /** Expires in the transaction those of `due` that no outage puts off, and writes of the others when they are due. */
  async #expireTogether(session: Session, due: readonly HeartbeatDocument[], now: Date): Promise<void> {
    const { onExpired, outages } = this.#expiry;
    const changes = due.map((document) => {
      const before = heartbeatOf(document);
      return { document, before, after: expired(before, now, outages) };
    });
    await this.#addCommands(session, changes);
    // Last, so that a ping that comes now waits for the commit alone.
    await this.#heartbeats.bulkWrite(
      changes.map(({ after, document: { _id, revision } }) => ({
        replaceOne: { filter: { _id }, replacement: documentOf(after, revision + 1) },
      })),
      { session, ordered: false, ...ABSENT },
    );
    const ended = changes.map(({ after }) => after).filter(isExpired);
    const tell = (): void => {
      onExpired(ended);
    };
    if (ended.length > 0) whenCommitted(session, tell, tell);
  }

  /**
   * Expires those that requests of this process are changing all the time: each by itself, because its transaction often conflicts
   * with these changes.
   */
  async #expireChanging({ dueBy, onExpired, outages, slowWrites }: Expiry): Promise<void> {
    if (slowWrites === undefined) return;
    const { by, names } = slowWrites;
    const due = this.#heartbeats
      .find({ name: { $in: [...names] }, nextDueAt: { $lte: by } }, { projection: { name: 1 }, limit: MAX_CHANGING })
      .toArray();
    for (const { name } of await orUnavailable(due)) {
      if (dueBy() < by) return;
      let before: Heartbeat | undefined;
      const changing = this.#changeNow(name, (present) => expired((before = present), by, outages));
      const after = await changing.catch((error: unknown) => {
        if (error instanceof ContendedError) return before;
        throw error;
      });
      if (after !== undefined && after !== before && isExpired(after)) onExpired([after]);
    }
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#changes.get(name) ?? new SerialQueue();
    this.#changes.set(name, queue);
    const begunAtMs = performance.now();
    try {
      return await queue.run(() => {
        if (performance.now() - begunAtMs > CHANGE_WAIT_LIMIT_MS) throw changedTooOften(name);
        return work();
      });
    } finally {
      if (queue.size === 0) this.#changes.delete(name);
    }
  }

  async #changeNow(
    name: string,
    change: (present: Heartbeat) => Heartbeat,
    isRemoved = false,
  ): Promise<Heartbeat | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await this.#read(name);
      if (found === undefined) return undefined;
      const before = heartbeatOf(found);
      const after = change(before);
      if (after === before && !isRemoved) return after;
      if (await this.#write({ before, after, isRemoved }, found.revision)) return after;
    }
    throw changedTooOften(name);
  }

  /** False where the heartbeat has another revision by now. */
  async #write({ after, before, isRemoved }: Change, revision: number): Promise<boolean> {
    if (after.step === before.step) return orUnavailable(this.#replace(after, revision, isRemoved));
    return inTransaction(this.#options.connection, async (session) => {
      const isWritten = await this.#replace(after, revision, isRemoved, session);
      if (isWritten) await this.#addCommands(session, [{ before, after }]);
      return isWritten;
    });
  }

  async #replace(heartbeat: Heartbeat, revision: number, isRemoved: boolean, session?: Session): Promise<boolean> {
    const { _id, ...document } = documentOf(heartbeat, revision + 1);
    const seen = { _id, revision };
    const options = { ...ABSENT, ...(session && { session }) };
    if (isRemoved) return (await this.#heartbeats.deleteOne(seen, options)).deletedCount === 1;
    return (await this.#heartbeats.replaceOne(seen, document, options)).matchedCount === 1;
  }

  async #addCommands(session: Session, changes: readonly Pick<Change, 'before' | 'after'>[]): Promise<void> {
    const { alertIdOf, outbox } = this.#options;
    const commands = changes.flatMap(({ after, before }) => alertCommand(before, after, alertIdOf) ?? []);
    await outbox.add(session, AlertCommands, commands);
  }

  /**
   * In one command. Its result does not say which pings found no heartbeat: where any found none, all have to be looked at. It never
   * waits for a transaction that expires heartbeats, because these are due: a monitor that dies in one would hold up the pings of all.
   */
  async #ping(pings: readonly Ping[]): Promise<readonly boolean[]> {
    const operations = pings.map((ping) => ({ updateOne: pingUpdate(ping) }));
    const { matchedCount } = await orUnavailable(this.#heartbeats.bulkWrite(operations, { ordered: false }));
    return pings.map(() => matchedCount === pings.length);
  }

  async #read(name: string): Promise<HeartbeatDocument | undefined> {
    const found = this.#heartbeats.findOne({ name }, { maxTimeMS: LONGEST_READ_MS });
    return (await orUnavailable(found)) ?? undefined;
  }
}

const changedTooOften = (name: string) => new ContendedError(`Heartbeat [${name}] is changed too often.`);

interface Change {
  readonly before: Heartbeat;
  readonly after: Heartbeat;
  readonly isRemoved: boolean;
}

interface Ping {
  readonly name: string;
  readonly at: Date;
  readonly teamId: string | undefined;
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
