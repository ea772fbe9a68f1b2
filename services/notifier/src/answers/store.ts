import { AlertCommands, Decisions } from '@tocsin/events';
import { collectionOf, type Connection, forTopic, inTransaction, isDuplicateKey, type Outbox } from '@tocsin/mongo';
import { ACTS, REPLY_CODES } from '../messages/delivery-document.ts';
import { type AlertAct, commandOf, decisionOf, digitsOf } from './answer.ts';
import type { ReplyCode } from './reply.ts';

/**
 * An act of a user by an answer to a message. Its request id shows whether the same answer comes again.
 */
interface ActDocument {
  readonly _id: string;
  readonly action: string;
  readonly alertId: string;
  /** Absent of an account of chat that has no user. */
  readonly userId?: string;
  readonly at: Date;
}

/** A code that was sent to a number; its id is `<digits of the number>:<code>`. */
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
   * Stores an act with its command and its log entry, in one transaction. Once this resolves, the command survives any crash. False
   * where the act is stored already; then nothing is written.
   */
  async take(act: AlertAct, at: Date): Promise<boolean> {
    const { connection, outbox } = this.#parts;
    const { action, actor, alertId, requestId } = act;
    const of = 'username' in actor ? { userId: actor.id } : {};
    try {
      await inTransaction(connection, async (session) => {
        await this.#acts().insertOne({ _id: requestId, action, alertId, ...of, at }, { session });
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

  /** Whether an act with this request id is stored. */
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

  /** Stores a code before its message is sent. Storing it twice has one effect. */
  async keep({ alertId, code, expiresAt, page, tinyId, to, userId }: ReplyCode): Promise<void> {
    const row = { alertId, code, expiresAt, page, tinyId, to, userId };
    try {
      await this.#rows().replaceOne({ _id: idOf(digitsOf(to), code) }, row, { upsert: true });
    } catch (error) {
      // Another try of the same message has stored it meanwhile. The error contains the number, which must not be logged.
      if (!isDuplicateKey(error, '_id_')) throw error;
    }
  }

  /** The page of a code; undefined where this code was not sent to the number. */
  async find(number: string, code: string): Promise<ReplyCode | undefined> {
    const found = await this.#rows().findOne({ _id: idOf(number, code) }, { projection: { _id: 0 } });
    return found ?? undefined;
  }

  /** Whether any code for the number is stored. */
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
