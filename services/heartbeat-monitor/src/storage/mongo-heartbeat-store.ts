import { UnavailableError } from '@tocsin/errors';
import { asUnavailable, collectionOf, isDuplicateKey, orUnavailable, type Connection } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import type { Heartbeat } from '../domain/heartbeat.ts';
import { MOST_OUTAGES, type Outage } from '../domain/outage.ts';
import type { Beat, HeartbeatStore } from '../ports/heartbeat-store.ts';
import {
  BEATS,
  documentOf,
  HEARTBEATS,
  heartbeatOf,
  outagesOf,
  type BeatDocument,
  type HeartbeatDocument,
} from './heartbeat-documents.ts';
import { Lots } from './lots.ts';

/** How often a change is decided anew because another write came first. */
const MOST_TRIES = 50;
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
  readonly #beats: mongo.Collection<BeatDocument>;
  readonly #pings = new Lots((pings: readonly Ping[]) => this.#ping(pings));

  constructor(connection: Connection) {
    this.#heartbeats = collectionOf(connection, HEARTBEATS);
    this.#beats = collectionOf(connection, BEATS);
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
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await this.#read(name);
      if (found === undefined) return undefined;
      const present = heartbeatOf(found);
      const changed = change(present);
      if (changed === present || (await this.#replace(changed, found.revision))) return changed;
    }
    throw new UnavailableError(`Heartbeat [${name}] is changed too often.`);
  }

  async beat({ now, silenceMs, refusedPings }: Beat): Promise<readonly Outage[]> {
    const silentMs = { $subtract: ['$$NOW', { $ifNull: ['$beatAt', new Date(0)] }] };
    // An end later than now was written by a wrong clock, and nothing would expire until then.
    const ends = { $or: [refusedPings, { $gt: [silentMs, silenceMs] }, { $gt: ['$resumedAt', now] }] };
    const before = { $ifNull: ['$outages', []] };
    const from = { $min: [{ $ifNull: ['$beatenAt', now] }, now] };
    // As `withOutage` of the domain.
    const apart = { $filter: { input: before, cond: { $lt: ['$$this.to', from] } } };
    const touched = { $filter: { input: before, cond: { $gte: ['$$this.to', from] } } };
    const earliest = { $min: { $map: { input: touched, in: '$$this.from' } } };
    const outage = { from: { $min: [from, earliest] }, to: now };
    const outages = { $slice: [{ $concatArrays: [apart, [outage]] }, -MOST_OUTAGES] };
    const beaten = await orUnavailable(
      this.#beats.findOneAndUpdate(
        { _id: 'monitor' },
        [
          {
            $set: {
              resumedAt: { $cond: [ends, now, '$resumedAt'] },
              outages: { $cond: [ends, outages, before] },
              beatAt: '$$NOW',
              beatenAt: now,
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      ),
    );
    return beaten === null ? [{ from: now, to: now }] : outagesOf(beaten);
  }

  async expire(now: Date, outages: readonly Outage[]): Promise<number> {
    const dueAt = dueAtAfter(outages);
    const { modifiedCount } = await orUnavailable(
      this.#heartbeats.updateMany(dueFilter(now, outages), [
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

/** When pings could be taken for one whole interval since `expiresAt`. */
const afterAll = (outages: readonly Outage[]) => ({
  $add: [
    '$expiresAt',
    '$intervalMs',
    ...outages.map(({ from, to }) => ({ $max: [0, { $subtract: [to, { $max: ['$expiresAt', from] }] }] })),
  ],
});

/** As {@link dueAtOf} of the domain. */
function dueAtAfter(outages: readonly Outage[]) {
  const last = outages.at(-1);
  if (last === undefined) return '$expiresAt';
  return { $max: ['$expiresAt', { $min: [{ $add: [last.to, '$intervalMs'] }, afterAll(outages)] }] };
}

/** Those that were due before the last outage were put off by an earlier one: few, so that their dates are reckoned one by one. */
function dueFilter(now: Date, outages: readonly Outage[]): mongo.Filter<HeartbeatDocument> {
  const last = outages.at(-1);
  if (last === undefined) return { expiresAt: { $lte: now } };
  return {
    $or: [
      { expiresAt: { $lte: now }, intervalMs: { $lte: now.getTime() - last.to.getTime() } },
      { expiresAt: { $lt: last.from }, $expr: { $lte: [afterAll(outages), now] } },
    ],
  };
}
