import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';
import { isDuplicateKey } from './failures.ts';

export const LEASES = 'leases';

interface LeaseRow {
  readonly _id: string;
  readonly holder: string;
  readonly rank: number;
  /** By the database's clock. */
  readonly until: Date;
}

/** What a {@link Lease} needs. */
export interface LeaseOptions {
  readonly connection: Connection;
  /** What is leased, such as `outbox/alert-events.v1`. */
  readonly name: string;
  /** Names the process; no two processes have the same. */
  readonly holder: string;
  /** A process takes the lease from a holder of a lower rank. 0 unless given. */
  readonly rank?: number;
  /** Real time; 3 s by default. */
  readonly durationMs?: number;
}

/**
 * Lets one process at a time do a piece of work, of all those that share a database.
 *
 * It ends `durationMs` after it was last taken, by the clock of the database. A holder that was frozen, or that lost its lease to
 * a higher rank, may go on until it asks again. So the work must stay correct while two processes do it.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #rows: mongo.Collection<LeaseRow>;
  readonly #durationMs: number;
  /**
   * By the clock of this process, from the moment at which it got the answer. From that at which it asked, a database that answers
   * slowly would let no process hold the lease.
   */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#rows = collectionOf(options.connection, LEASES);
    this.#durationMs = options.durationMs ?? 3_000;
  }

  /** Whether this process holds the lease, as far as it knows without asking again. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /**
   * Takes the lease if it is free or, unless `onlyIfFree`, a holder of a lower rank has it; or renews it. Resolves with whether
   * this process holds it.
   */
  async take({ onlyIfFree = false }: { readonly onlyIfFree?: boolean } = {}): Promise<boolean> {
    const { holder, name, rank = 0 } = this.#options;
    const outranked = onlyIfFree ? [] : [{ $lt: ['$rank', rank] }];
    const mayTake = { $or: [{ $eq: ['$holder', holder] }, ...outranked, this.#hasEnded()] };
    const ifTaken = (mine: unknown, theirs: string) => ({ $cond: [mayTake, mine, theirs] });
    const until = { $add: ['$$NOW', this.#durationMs] };
    const taken = {
      holder: ifTaken({ $literal: holder }, '$holder'),
      rank: ifTaken({ $literal: rank }, '$rank'),
      until: ifTaken(until, '$until'),
    };
    // A document that stays as it is costs no write.
    const row = await this.#rows
      .findOneAndUpdate({ _id: name }, [{ $set: taken }], { upsert: true, returnDocument: 'after' })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return null;
      });
    const isHeld = row?.holder === holder;
    this.#heldUntilMs = isHeld ? performance.now() + this.#durationMs : Number.NEGATIVE_INFINITY;
    return isHeld;
  }

  /** Lets another process take the lease at once. Does nothing where this process does not hold it. */
  async release(): Promise<void> {
    const { holder, name } = this.#options;
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    await this.#rows.deleteOne({ _id: name, holder });
  }

  /** A lease that ends later than one that is taken now was taken by the clock of a primary that was ahead of this one. */
  #hasEnded(): object {
    const latest = { $add: ['$$NOW', 2 * this.#durationMs] };
    return { $or: [{ $lte: ['$until', '$$NOW'] }, { $gt: ['$until', latest] }] };
  }
}
