import { MAX_OPSGENIE_KEYS } from '@tocsin/api';
import { collectionOf, type Connection, type IndexPlan } from '@tocsin/mongo';

const OPSGENIE_KEYS = 'opsgenie_keys';
const DAY_SECONDS = 24 * 3_600;

/** What a gateway has learned of a key. `requests` is what that process has counted since its start. */
export interface LearnedKey {
  readonly sha256: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly requests: number;
  readonly operation: string;
  readonly requestId?: string | undefined;
}

/** A key as it is stored, with its hash as `_id`. */
interface OpsgenieKeyDocument {
  readonly _id: string;
  readonly firstAt: Date;
  /** Of the last request. MongoDB compares documents by their first field first: its time. */
  readonly last: { readonly at: Date; readonly operation: string };
  /** Of the last request that changes an alert. */
  readonly lastOfAlert?: { readonly at: Date; readonly requestId: string };
  /** By the id of the process that counted them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Real time, because the index that removes it uses that. */
  readonly storedAt: Date;
}

export const opsgenieKeyIndexes: readonly IndexPlan[] = [
  {
    collection: OPSGENIE_KEYS,
    keys: { storedAt: 1 },
    options: { expireAfterSeconds: 400 * DAY_SECONDS },
    serves: 'the end of keys that no tool uses any more',
  },
];

/** Keeps the hashes of keys with which Opsgenie accepts requests, at most {@link MAX_OPSGENIE_KEYS} (M9). */
export class OpsgenieKeyStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores what the process `source` has learned. Counts only rise, so a report that comes twice, or late, changes nothing. */
  async store(source: string, keys: readonly LearnedKey[]): Promise<void> {
    if (keys.length === 0) return;
    // Reports that come at once may add a report of keys each beyond the bound.
    const upsert = (await this.#keys().estimatedDocumentCount()) < MAX_OPSGENIE_KEYS;
    await this.#keys().bulkWrite(
      keys.map(({ firstAt, lastAt: at, operation, requestId, requests, sha256 }) => ({
        updateOne: {
          filter: { _id: sha256 },
          update: {
            $min: { firstAt },
            $max: {
              last: { at, operation },
              ...(requestId !== undefined && { lastOfAlert: { at, requestId } }),
              [`counts.${source}`]: requests,
            },
            $currentDate: { storedAt: true } as const,
          },
          upsert,
        },
      })),
      { ordered: false },
    );
  }

  count(): Promise<number> {
    return this.#keys().countDocuments();
  }

  /** A page of the keys, in the order of their hashes. */
  async list({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<readonly LearnedKey[]> {
    const found = await this.#keys()
      .find({}, { sort: { _id: 1 }, skip: offset, limit })
      .toArray();
    return found.map(({ _id, counts, firstAt, last, lastOfAlert }) => ({
      sha256: _id,
      firstAt,
      lastAt: last.at,
      requests: Object.values(counts).reduce((sum, each) => sum + each, 0),
      operation: last.operation,
      requestId: lastOfAlert?.requestId,
    }));
  }

  #keys() {
    return collectionOf<OpsgenieKeyDocument>(this.#connection, OPSGENIE_KEYS);
  }
}
