import { UnavailableError } from '@tocsin/errors';
import { asUnavailable, collectionOf, isDuplicateKey, orUnavailable, type Connection } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import { outagesAfter, type Beat, type LastBeat, type Outage } from '../domain/outage.ts';
import { BEATS, type BeatDocument } from './heartbeat-documents.ts';

/** How often a beat is decided anew because another monitor's came first. */
const MOST_TRIES = 50;
const MONITOR = { _id: 'monitor' } as const;

interface ReadBeat extends BeatDocument {
  /** By the database's clock. */
  readonly readAt: Date;
}

/** The one beat of all monitors in MongoDB. */
export class MongoBeats {
  readonly #beats: mongo.Collection<BeatDocument>;

  constructor(connection: Connection) {
    this.#beats = collectionOf(connection, BEATS);
  }

  /** Replaces only the beat that it read: no monitor takes back an outage that another one has noted meanwhile. */
  async beat(beat: Beat): Promise<readonly Outage[]> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const last = await this.#last();
      const outages = outagesAfter(last && lastBeatOf(last), beat);
      if (await this.#replace(last, outages, beat.now)) return outages;
    }
    throw new UnavailableError('Other monitors beat too often.');
  }

  async #last(): Promise<ReadBeat | undefined> {
    const stages = [{ $match: MONITOR }, { $set: { readAt: '$$NOW' } }];
    const [last] = await orUnavailable(this.#beats.aggregate<ReadBeat>(stages).toArray());
    return last;
  }

  async #replace(last: ReadBeat | undefined, outages: readonly Outage[], now: Date): Promise<boolean> {
    const { readAt, ...seen } = last ?? { ...MONITOR, readAt: '$$NOW', beatAt: { $exists: false } };
    // Dated by the read: if this process stands still before it writes, that is silence, too.
    const beat = { beatAt: readAt, beatenAt: now, outages };
    try {
      await this.#beats.updateOne(seen, [{ $set: beat }], { upsert: true });
      return true;
    } catch (error) {
      // The beat that was read is not there any more.
      if (isDuplicateKey(error)) return false;
      throw asUnavailable(error);
    }
  }
}

const lastBeatOf = ({ beatAt, beatenAt, outages, readAt }: ReadBeat): LastBeat => ({
  at: beatenAt,
  silentMs: Number(readAt) - Number(beatAt),
  outages,
});
