import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';
import { isDuplicateKey } from './failures.ts';

export const LEASES = 'leases';

interface LeaseEntry {
  readonly holder: string;
  readonly rank: number;
  /** By the database's clock. */
  readonly until: Date;
}

type LeaseDocument = { readonly _id: string } & Readonly<Record<string, LeaseEntry | string | undefined>>;

export interface LeasesOptions {
  readonly connection: Connection;
  /** The name of the leased work, such as `outbox`. All leases of a group are in one document. */
  readonly group: string;
  /** Names the process; no two processes have the same. */
  readonly holder: string;
  /** Real time; 3 s by default. */
  readonly durationMs?: number;
}

/** A lease that a process wants to hold. */
export interface WantedLease {
  readonly lease: Lease;
  /** Whether to take it only if it is free, and not from a holder of a lower rank. */
  readonly onlyIfFree?: boolean;
}

/**
 * Lets one process at a time do each of several pieces of work, of all the processes that share a database. However many leases a
 * process holds, it renews them with one write of one document.
 *
 * A lease ends `durationMs` after it was last taken, by the clock of the database. A holder that was frozen, or that lost its lease
 * to a higher rank, may go on until it asks again. So the work has to be correct while two processes do it.
 */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #documents: mongo.Collection<LeaseDocument>;
  readonly #durationMs: number;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#documents = collectionOf(options.connection, LEASES);
    this.#durationMs = options.durationMs ?? 3_000;
  }

  /** A lease of the group. A process takes it from a holder of a lower rank. `name` has no `/` and begins with no `$`. */
  lease(name: string, rank = 0): Lease {
    return new Lease(this, name.replaceAll('.', '/'), rank);
  }

  /**
   * Takes each lease that is free or, unless `onlyIfFree`, has a holder of a lower rank; renews those that this process holds.
   * Resolves with those that it holds now and did not hold before.
   */
  async take(wanted: readonly WantedLease[]): Promise<readonly Lease[]> {
    if (wanted.length === 0) return [];
    const { group, holder } = this.#options;
    const held = new Set(wanted.filter(({ lease }) => lease.isHeld).map(({ lease }) => lease));
    const entries = wanted.map((each): [string, object] => [each.lease.field, this.#entryAfterTake(each)]);
    // A document that stays as it is costs no write.
    const document = await this.#documents
      .findOneAndUpdate({ _id: group }, [{ $set: Object.fromEntries(entries) }], {
        upsert: true,
        returnDocument: 'after',
      })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return null;
      });
    const untilMs = performance.now() + this.#durationMs;
    for (const { lease } of wanted) {
      const entry = document?.[lease.field];
      lease.heldUntilMs = typeof entry === 'object' && entry.holder === holder ? untilMs : Number.NEGATIVE_INFINITY;
    }
    return wanted.flatMap(({ lease }) => (lease.isHeld && !held.has(lease) ? [lease] : []));
  }

  /** Lets another process take the leases at once. Does nothing with those that this process does not hold. */
  async release(leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) lease.heldUntilMs = Number.NEGATIVE_INFINITY;
    const isOwn = (field: string) => ({ $eq: [`$${field}.holder`, { $literal: this.#options.holder }] });
    const entries = leases.map(({ field }) => [field, { $cond: [isOwn(field), '$$REMOVE', `$${field}`] }] as const);
    await this.#documents.updateOne({ _id: this.#options.group }, [{ $set: Object.fromEntries(entries) }]);
  }

  #entryAfterTake({ lease: { field, rank }, onlyIfFree = false }: WantedLease): object {
    const { holder } = this.#options;
    const outranked = onlyIfFree ? [] : [{ $lt: [`$${field}.rank`, rank] }];
    const canTake = { $or: [{ $eq: [`$${field}.holder`, { $literal: holder }] }, ...outranked, this.#hasEnded(field)] };
    const entry = {
      holder: { $literal: holder },
      rank: { $literal: rank },
      until: { $add: ['$$NOW', this.#durationMs] },
    };
    return { $cond: [canTake, entry, `$${field}`] };
  }

  /**
   * Whether the lease is free. A lease that ends later than one that is taken now was taken while another primary had a clock that is
   * ahead, and is free too.
   */
  #hasEnded(field: string): object {
    const latest = { $add: ['$$NOW', 2 * this.#durationMs] };
    return { $or: [{ $lte: [`$${field}.until`, '$$NOW'] }, { $gt: [`$${field}.until`, latest] }] };
  }
}

/** One lease of {@link Leases}. */
export class Lease {
  readonly field: string;
  readonly rank: number;
  /**
   * By the clock of this process, counted from the answer of the database. Counted from the request, no process would hold a lease
   * while the database answers slowly. Only {@link Leases} sets it.
   */
  heldUntilMs = Number.NEGATIVE_INFINITY;
  readonly #leases: Leases;

  constructor(leases: Leases, field: string, rank: number) {
    this.#leases = leases;
    this.field = field;
    this.rank = rank;
  }

  /** Whether this process holds the lease, as far as it knows without asking again. */
  get isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** Takes or renews this lease alone. Resolves with whether this process holds it. */
  async take(): Promise<boolean> {
    await this.#leases.take([{ lease: this }]);
    return this.isHeld;
  }

  /** As `release` of {@link Leases}. */
  async release(): Promise<void> {
    await this.#leases.release([this]);
  }
}
