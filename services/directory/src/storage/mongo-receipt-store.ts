import type { BuriedRecord, ConsumedBatch, Decision, Settlement } from '@tocsin/contracts';
import { buryRecord, settleBatches, type Session } from '@tocsin/persistence';
import type { Connection, Model } from 'mongoose';
import { mailReceipts, proves, type MailReceipt } from '../domain/mail-receipt.ts';
import type { ReceiptStore } from '../ports/receipt-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { userModel, type UserDocument } from './user-documents.ts';

/** Receipts that settle with the position of their partition in one transaction. */
export class MongoReceiptStore implements ReceiptStore {
  readonly #connection: Connection;
  readonly #users: Model<UserDocument>;
  readonly #writes: ConfigurationWrites;

  constructor(connection: Connection, writes: ConfigurationWrites) {
    this.#connection = connection;
    this.#users = userModel(connection);
    this.#writes = writes;
  }

  async settle(batches: readonly ConsumedBatch<Decision>[]): Promise<Settlement> {
    const settlement = await settleBatches({
      connection: this.#connection,
      batches,
      work: async (session, records) => {
        const proven = await this.#proven(
          records.flatMap(({ value }) => mailReceipts(value)),
          session,
        );
        if (proven.length > 0) await this.#verify(proven, session);
      },
    });
    void this.#writes.changes.flush();
    return settlement;
  }

  async bury(record: BuriedRecord): Promise<Settlement> {
    return buryRecord({ connection: this.#connection, record, work: () => Promise.resolve() });
  }

  /** Of most mails the user is verified already: then nothing is written. */
  async #proven(receipts: readonly MailReceipt[], session: Session): Promise<readonly string[]> {
    if (receipts.length === 0) return [];
    const unverified = await this.#users
      .find({ _id: { $in: receipts.map(({ userId }) => userId) }, verified: false }, { username: 1 }, { session })
      .lean<{ _id: string; username: string }[]>()
      .exec();
    return unverified
      .filter(({ _id, username }) => receipts.some((receipt) => proves(receipt, { id: _id, username })))
      .map(({ _id }) => _id);
  }

  async #verify(ids: readonly string[], session: Session): Promise<void> {
    await this.#writes.begin(session);
    const verified = { $set: { verified: true }, $inc: { 'version.n': 1 } };
    await this.#users.updateMany({ _id: { $in: ids } }, verified, { session }).exec();
    for (const id of ids) await this.#writes.changes.changed(session, id);
  }
}
