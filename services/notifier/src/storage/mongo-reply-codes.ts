import { collectionOf, isDuplicateKey, type Connection } from '@tocsin/persistence';
import { digitsOf } from '../domain/answerable.ts';
import type { ReplyCode } from '../domain/reply.ts';
import type { ReplyCodes } from '../ports/reply-codes.ts';
import { REPLY_CODES, type ReplyCodeDocument } from './documents.ts';

/** Codes in MongoDB, found by number and code together. */
export class MongoReplyCodes implements ReplyCodes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async keep({ alertId, code, expiresAt, page, tinyId, to, userId }: ReplyCode): Promise<void> {
    const row = { alertId, code, expiresAt, page, tinyId, to, userId };
    try {
      await this.#rows().replaceOne({ _id: idOf(digitsOf(to), code) }, row, { upsert: true });
    } catch (error) {
      // Another try of the same message has kept it meanwhile. The error has the number in it, which is for no log.
      if (!isDuplicateKey(error, '_id_')) throw error;
    }
  }

  async find(number: string, code: string): Promise<ReplyCode | undefined> {
    const found = await this.#rows().findOne({ _id: idOf(number, code) }, { projection: { _id: 0 } });
    return found ?? undefined;
  }

  async isKnown(number: string): Promise<boolean> {
    // No character comes between a colon and a semicolon.
    const ofNumber = { _id: { $gte: `${number}:`, $lt: `${number};` } };
    return (await this.#rows().findOne(ofNumber, { projection: { _id: 1 } })) !== null;
  }

  #rows() {
    return collectionOf<ReplyCodeDocument>(this.#connection, REPLY_CODES);
  }
}

const idOf = (number: string, code: string): string => `${number}:${code}`;
