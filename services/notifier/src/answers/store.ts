import { AlertCommands, Decisions } from '@tocsin/events';
import { collectionOf, type Connection, forTopic, inTransaction, isDuplicateKey, type Outbox } from '@tocsin/mongo';
import { ACTS, REPLY_CODES } from '../messages/delivery-document.ts';
import { type AlertAct, commandOf, decisionOf, digitsOf } from './answer.ts';
import type { ReplyCode } from './reply.ts';

/**
 * What a user did to an alert by an answer to a message: by its request id an answer that is given again is recognised.
 */
interface ActDocument {
  readonly _id: string;
  readonly action: string;
  readonly alertId: string;
  readonly userId: string;
  readonly at: Date;
}

/** What a code stands for that was given to a number; its id is `<digits of the number>:<code>`. */
type ReplyCodeDocument = ReplyCode & { readonly _id: string };

export interface ActStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
}

/** Acts in MongoDB; their commands go out by the outbox. */
export class ActStore {
  readonly #parts: ActStoreParts;

  constructor(parts: ActStoreParts) {
    this.#parts = parts;
  }

  /**
   * Keeps an act with its command and what the log says of it, in one transaction: all three, or nothing. Once this resolves, the
   * command survives any crash. False where the act is kept already; then nothing is written.
   */
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

  /** Whether an act with this request id is kept. */
  async isKnown(requestId: string): Promise<boolean> {
    return (await this.#acts().findOne({ _id: requestId }, { projection: { _id: 1 } })) !== null;
  }

  #acts() {
    return collectionOf<ActDocument>(this.#parts.connection, ACTS);
  }
}

/** Codes in MongoDB, found by number and code together. */
export class ReplyCodes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Keeps a code, before its message goes out. The same again is once. */
  async keep({ alertId, code, expiresAt, page, tinyId, to, userId }: ReplyCode): Promise<void> {
    const row = { alertId, code, expiresAt, page, tinyId, to, userId };
    try {
      await this.#rows().replaceOne({ _id: idOf(digitsOf(to), code) }, row, { upsert: true });
    } catch (error) {
      // Another try of the same message has kept it meanwhile. The error has the number in it, which is for no log.
      if (!isDuplicateKey(error, '_id_')) throw error;
    }
  }

  /** What a code of a number stands for; undefined where the number was given no such code. */
  async find(number: string, code: string): Promise<ReplyCode | undefined> {
    const found = await this.#rows().findOne({ _id: idOf(number, code) }, { projection: { _id: 0 } });
    return found ?? undefined;
  }

  /** Whether the number was given any code that is still stored. */
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
