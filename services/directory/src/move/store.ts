import { collectionOf, type Connection, isDuplicateKey, orUnavailable } from '@tocsin/mongo';
import type { Move } from './move.ts';

const MOVES = 'moves';
/** An account has one move. */
const MOVE = 'move';

type MoveDocument = Move & { readonly _id: string };

/** Keeps the last check of the move in MongoDB. */
export class MoveStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Undefined where no check is stored. */
  async find(): Promise<Move | undefined> {
    const found = await orUnavailable(this.#moves().findOne({ _id: MOVE }));
    if (found === null) return undefined;
    const { _id, ...move } = found;
    return move;
  }

  /** Replaces the stored check; false where that is a newer one, which stays. */
  async replace(move: Move): Promise<boolean> {
    // Another request can have inserted the first check meanwhile: it is compared with that.
    return (await this.#replaceOlder(move)) || this.#replaceOlder(move);
  }

  async #replaceOlder(move: Move): Promise<boolean> {
    const isOlder = { _id: MOVE, checkedAt: { $lte: move.checkedAt } };
    try {
      await orUnavailable(this.#moves().replaceOne(isOlder, move, { upsert: true, ignoreUndefined: true }));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async remove(): Promise<void> {
    await orUnavailable(this.#moves().deleteOne({ _id: MOVE }));
  }

  #moves() {
    return collectionOf<MoveDocument>(this.#connection, MOVES);
  }
}
