import type { BuriedRecord, ConsumedBatch, Settlement, VerificationEvent } from '@tocsin/contracts';
import { buryRecord, settleBatches, type Session } from '@tocsin/persistence';
import type { Connection, Model } from 'mongoose';
import { proofOf, type Proof } from '../domain/proof.ts';
import type { VerificationEventStore } from '../ports/verification-event-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { userModel, type UserDocument } from './user-documents.ts';

/** Verification events that settle with the position of their partition in one transaction. */
export class MongoVerificationEventStore implements VerificationEventStore {
  readonly #connection: Connection;
  readonly #users: Model<UserDocument>;
  readonly #writes: ConfigurationWrites;

  constructor(connection: Connection, writes: ConfigurationWrites) {
    this.#connection = connection;
    this.#users = userModel(connection);
    this.#writes = writes;
  }

  async settle(batches: readonly ConsumedBatch<VerificationEvent>[]): Promise<Settlement> {
    return settleBatches({
      connection: this.#connection,
      batches,
      work: async (session, records) => {
        const proven = await this.#proven(
          records.map(({ value }) => value),
          session,
        );
        if (proven.length > 0) await this.#verify(proven, session);
      },
    });
  }

  async bury(record: BuriedRecord): Promise<Settlement> {
    return buryRecord({ connection: this.#connection, record, work: () => Promise.resolve() });
  }

  /** Of a repeat, and of a user who is gone, nothing is written. */
  async #proven(events: readonly VerificationEvent[], session: Session): Promise<readonly ProvenUser[]> {
    const unverified = await this.#users
      .find(
        {
          _id: { $in: events.map(({ userId }) => userId) },
          $or: [{ verified: false }, { 'contacts.device.verified': false }],
        },
        { username: 1, verified: 1, contacts: 1 },
        { session },
      )
      .lean<Pick<UserDocument, '_id' | 'username' | 'verified' | 'contacts'>[]>()
      .exec();
    return unverified.flatMap(({ _id, ...user }) => {
      const proof = proofOf({ id: _id, ...user }, events);
      return proof === undefined ? [] : [{ id: _id, proof }];
    });
  }

  async #verify(proven: readonly ProvenUser[], session: Session): Promise<void> {
    await this.#writes.begin(session);
    for (const { id, proof } of proven) {
      const { arrayFilters, ...update } = updateOf(proof);
      await this.#users.updateOne({ _id: id }, update, { session, arrayFilters }).exec();
    }
    await this.#writes.announcements.changed(
      session,
      proven.map(({ id }) => id),
    );
  }
}

interface ProvenUser {
  readonly id: string;
  readonly proof: Proof;
}

function updateOf({ topics, verifiesUser }: Proof) {
  const verified = verifiesUser ? { verified: true } : {};
  const $inc = { 'version.n': 1 };
  if (topics.length === 0) return { $set: verified, $inc, arrayFilters: [] };
  const arrayFilters = [{ 'device.method': 'mobile', 'device.to': { $in: [...topics] } }];
  return { $set: { ...verified, 'contacts.$[device].device.verified': true }, $inc, arrayFilters };
}
