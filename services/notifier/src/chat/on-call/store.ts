import { collectionOf, type Connection } from '@tocsin/mongo';
import { CHAT_ON_CALL } from '../../messages/delivery-document.ts';
import type { PartFailure, ShownOnCall, ShownPart } from './on-call.ts';

interface OnCallDocument extends ShownOnCall {
  readonly _id: string;
}

/** What channels of chat show of who is on call, a row for each integration. */
export class ShownOnCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All rows, by integration. There are no more than integrations. */
  async all(): Promise<ReadonlyMap<string, ShownOnCall>> {
    const rows = await this.#rows().find().toArray();
    return new Map(rows.map(({ _id, ...row }) => [_id, row]));
  }

  /**
   * Stores that a part is shown, if the stored one is still `before`. False where it is another: a process that held the lease before, or
   * holds it now, has shown the part too.
   */
  async put(id: string, key: string, part: ShownPart, before: ShownPart | undefined): Promise<boolean> {
    await this.#rows().updateOne({ _id: id }, { $setOnInsert: { parts: {}, failures: {} } }, { upsert: true });
    const { matchedCount } = await this.#rows().updateOne(
      { _id: id, [`parts.${key}.value`]: before?.value ?? null },
      { $set: { [`parts.${key}`]: part }, $unset: { [`failures.${key}`]: 1 } },
    );
    return matchedCount === 1;
  }

  /** Stores why a part is not shown. `waitUntil`: no call is made before. */
  async fail(id: string, key: string, failure: PartFailure, waitUntil?: Date): Promise<void> {
    await this.#rows().updateOne(
      { _id: id },
      {
        $set: { [`failures.${key}`]: failure, ...(waitUntil && { waitUntil }) },
        $setOnInsert: { parts: {} },
      },
      { upsert: true },
    );
  }

  /** Forgets parts and failures: what is shown is shown anew, what is announced begins anew. */
  async forget(id: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const fields = keys.flatMap((key) => [`parts.${key}`, `failures.${key}`]);
    await this.#rows().updateOne({ _id: id }, { $unset: Object.fromEntries(fields.map((field) => [field, 1])) });
  }

  /** Forgets all of some integrations. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#rows().deleteMany({ _id: { $in: [...ids] } });
  }

  #rows() {
    return collectionOf<OnCallDocument>(this.#connection, CHAT_ON_CALL);
  }
}
