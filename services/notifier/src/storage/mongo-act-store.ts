import { AlertCommands, Decisions } from '@tocsin/contracts';
import {
  collectionOf,
  inTransaction,
  isDuplicateKey,
  forTopic,
  type Connection,
  type Outbox,
} from '@tocsin/persistence';
import { commandOf, decisionOf, type AlertAct } from '../domain/alert-act.ts';
import type { ActStore } from '../ports/act-store.ts';
import { ACTS, type ActDocument } from './documents.ts';

export interface MongoActStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
}

/** Acts in MongoDB; their commands go out by the outbox. */
export class MongoActStore implements ActStore {
  readonly #parts: MongoActStoreParts;

  constructor(parts: MongoActStoreParts) {
    this.#parts = parts;
  }

  async take(act: AlertAct, at: Date): Promise<boolean> {
    const { connection, outbox } = this.#parts;
    const { action, alertId, requestId, user } = act;
    try {
      await inTransaction(connection, async (session) => {
        await this.#acts().insertOne({ _id: requestId, action, alertId, userId: user.id, at }, { session });
        await outbox.addAll(session, [
          forTopic(AlertCommands, [commandOf(act, at)]),
          forTopic(Decisions, [decisionOf(act, at)]),
        ]);
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error, '_id_')) return false;
      throw error;
    }
  }

  async isKnown(requestId: string): Promise<boolean> {
    return (await this.#acts().findOne({ _id: requestId }, { projection: { _id: 1 } })) !== null;
  }

  #acts() {
    return collectionOf<ActDocument>(this.#parts.connection, ACTS);
  }
}
