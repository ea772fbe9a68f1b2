import {
  asUnavailable,
  collectionOf,
  isDuplicateKey,
  orUnavailable,
  SerialQueue,
  type Connection,
} from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import type { Heartbeat } from '../domain/heartbeat.ts';
import type { Beat, Outage } from '../domain/outage.ts';
import { ContendedError, type HeartbeatStore, type SlowWrites } from '../ports/heartbeat-store.ts';
import { dueAtAfter, dueFilter } from './due-pipeline.ts';
import { documentOf, HEARTBEATS, heartbeatOf, type HeartbeatDocument } from './heartbeat-documents.ts';
import { Lots } from './lots.ts';
import { MongoBeats } from './mongo-beats.ts';

/** How often a change is decided anew because another write came first. */
const MOST_TRIES = 50;
/** How long a change waits for those of the same heartbeat before it. */
const CHANGE_WAIT_LIMIT_MS = 5_000;
/** How long the database may work on one read, in milliseconds. */
const LONGEST_READ_MS = 2_000;
const ABSENT = { ignoreUndefined: true };
const LIVE = { live: true } as const;

/**
 * Heartbeats in MongoDB: one document each, and each change is one write to one document, acknowledged by the majority. The
 * filter of a change holds what it depends on, so any number of monitors and pings may meet.
 */
export class MongoHeartbeatStore implements HeartbeatStore {
  readonly #heartbeats: mongo.Collection<HeartbeatDocument>;
  readonly #beats: MongoBeats;
  /**
   * By name, the changes that this process writes one after the other. At once, all but one of them would be written in vain, again
   * and again.
   */
  readonly #changes = new Map<string, SerialQueue>();
  readonly #pings = new Lots((pings: readonly Ping[]) => this.#ping(pings));

  constructor(connection: Connection) {
    this.#heartbeats = collectionOf(connection, HEARTBEATS);
    this.#beats = new MongoBeats(connection);
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
    const wanted = { ...LIVE, ...(teamId !== undefined && { ownerTeamId: teamId }) };
    const found = this.#heartbeats.find(wanted, { maxTimeMS: LONGEST_READ_MS }).sort({ createdAt: 1, _id: 1 });
    return (await orUnavailable(found.toArray())).map(heartbeatOf);
  }

  async bytesOfTeam(teamId: string): Promise<number> {
    const stages = [
      { $match: { ...LIVE, ownerTeamId: teamId } },
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ];
    const summing = this.#heartbeats.aggregate<{ readonly bytes: number }>(stages, { maxTimeMS: LONGEST_READ_MS });
    const [sum] = await orUnavailable(summing.toArray());
    return sum?.bytes ?? 0;
  }

  pingWaitedFor(name: string, at: Date, teamId: string | undefined): Promise<boolean> {
    return this.#pings.add({ name, at, teamId });
  }

  async change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    const queue = this.#changes.get(name) ?? new SerialQueue();
    this.#changes.set(name, queue);
    const begunAtMs = performance.now();
    try {
      return await queue.run(() => {
        if (performance.now() - begunAtMs > CHANGE_WAIT_LIMIT_MS) throw changedTooOften(name);
        return this.#changeNow(name, change);
      });
    } finally {
      if (queue.size === 0) this.#changes.delete(name);
    }
  }

  beat(beat: Beat): Promise<readonly Outage[]> {
    return this.#beats.beat(beat);
  }

  async expire(now: Date, outages: readonly Outage[], writes?: SlowWrites): Promise<number> {
    if (writes === undefined) return this.#expire(dueFilter(now, outages), outages);
    const { by, names } = writes;
    const others = await this.#expire({ ...dueFilter(now, outages), name: { $nin: [...names] } }, outages);
    return others + (await this.#expire({ ...dueFilter(by, outages), name: { $in: [...names] } }, outages));
  }

  async #expire(due: mongo.Filter<HeartbeatDocument>, outages: readonly Outage[]): Promise<number> {
    const dueAt = dueAtAfter(outages);
    const { modifiedCount } = await orUnavailable(
      this.#heartbeats.updateMany(due, [
        {
          $set: {
            step: { $add: ['$step', 1] },
            steppedAt: dueAt,
            untoldSince: { $ifNull: ['$untoldSince', dueAt] },
            revision: { $add: ['$revision', 1] },
            expiresAt: '$$REMOVE',
          },
        },
      ]),
    );
    return modifiedCount;
  }

  /**
   * Reads only what no failover can take back: a published step stays, and another step of the same number would be taken for
   * it.
   */
  async untold(limit: number): Promise<readonly Heartbeat[]> {
    const found = this.#heartbeats
      .find({ untoldSince: { $exists: true } }, { maxTimeMS: LONGEST_READ_MS, readConcern: { level: 'majority' } })
      .sort({ untoldSince: 1 })
      .limit(limit);
    return (await orUnavailable(found.toArray())).map(heartbeatOf);
  }

  async markTold(told: readonly { readonly id: string; readonly steps: number }[]): Promise<void> {
    if (told.length === 0) return;
    const set = (steps: number) => [
      { $set: { told: { $max: ['$told', steps] }, revision: { $add: ['$revision', 1] } } },
      { $set: { untoldSince: { $cond: [{ $lt: ['$told', '$step'] }, '$untoldSince', '$$REMOVE'] } } },
    ];
    await orUnavailable(
      this.#heartbeats.bulkWrite(
        told.map(({ id, steps }) => ({ updateOne: { filter: { _id: id }, update: set(steps) } })),
        { ordered: false },
      ),
    );
    await orUnavailable(
      this.#heartbeats.deleteMany({
        _id: { $in: told.map(({ id }) => id) },
        live: { $exists: false },
        untoldSince: { $exists: false },
      }),
    );
  }

  async pending(now: Date, outages: readonly Outage[]): Promise<number> {
    const [due, untold] = await Promise.all([
      orUnavailable(this.#heartbeats.countDocuments(dueFilter(now, outages))),
      orUnavailable(this.#heartbeats.countDocuments({ untoldSince: { $exists: true } })),
    ]);
    return due + untold;
  }

  async nextDueAt(outages: readonly Outage[]): Promise<Date | undefined> {
    const dueAt = dueAtAfter(outages);
    const stages = [{ $match: { expiresAt: { $exists: true } } }, { $group: { _id: null, at: { $min: dueAt } } }];
    const [next] = await orUnavailable(this.#heartbeats.aggregate<{ readonly at: Date }>(stages).toArray());
    return next?.at;
  }

  async #changeNow(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await this.#read(name);
      if (found === undefined) return undefined;
      const present = heartbeatOf(found);
      const changed = change(present);
      if (changed === present || (await this.#replace(changed, found.revision))) return changed;
    }
    throw changedTooOften(name);
  }

  /** In one command. Its result does not say which pings found no heartbeat: where any found none, each is sent by itself. */
  async #ping(pings: readonly Ping[]): Promise<readonly boolean[]> {
    const operations = pings.map((ping) => ({ updateOne: pingUpdate(ping) }));
    const { matchedCount } = await orUnavailable(this.#heartbeats.bulkWrite(operations, { ordered: false }));
    if (matchedCount === pings.length) return pings.map(() => true);
    if (pings.length === 1) return [false];
    return (await Promise.all(pings.map((ping) => this.#ping([ping])))).flat();
  }

  async #read(name: string): Promise<HeartbeatDocument | undefined> {
    const found = this.#heartbeats.findOne({ ...LIVE, name }, { maxTimeMS: LONGEST_READ_MS });
    return (await orUnavailable(found)) ?? undefined;
  }

  /** One that is deleted and has nothing to tell is gone at once. */
  async #replace(heartbeat: Heartbeat, revision: number): Promise<boolean> {
    const { _id, ...document } = documentOf(heartbeat, revision + 1);
    const seen = { _id, revision };
    if (heartbeat.deleted && heartbeat.untoldSince === undefined)
      return (await orUnavailable(this.#heartbeats.deleteOne(seen))).deletedCount === 1;
    return (await orUnavailable(this.#heartbeats.replaceOne(seen, document, ABSENT))).matchedCount === 1;
  }
}

const changedTooOften = (name: string) => new ContendedError(`Heartbeat [${name}] is changed too often.`);

interface Ping {
  readonly name: string;
  readonly at: Date;
  readonly teamId: string | undefined;
}

const pingUpdate = ({ name, at, teamId }: Ping) => ({
  filter: { ...LIVE, name, expiresAt: { $exists: true }, ...(teamId !== undefined && { ownerTeamId: teamId }) },
  update: [
    {
      $set: {
        lastPingAt: { $max: ['$lastPingAt', at] },
        expiresAt: { $max: ['$expiresAt', { $add: [at, '$intervalMs'] }] },
        revision: { $add: ['$revision', 1] },
      },
    },
  ],
});
