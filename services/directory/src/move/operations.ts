import type { MoveBody } from '@tocsin/api';
import { type Clock, ConflictError, NotFoundError } from '@tocsin/core';
import { type Move, publishedMove } from './move.ts';
import type { MoveStore } from './store.ts';

/** Where the account stands in its move (M6). */
export class Moves {
  readonly #ports: { readonly moves: MoveStore; readonly clock: Clock };

  constructor(ports: { readonly moves: MoveStore; readonly clock: Clock }) {
    this.#ports = ports;
  }

  /** @throws NotFoundError where no check is stored. */
  async get(): Promise<Move> {
    const found = await this.#ports.moves.find();
    if (found === undefined) throw new NotFoundError('No check of a move is published.');
    return found;
  }

  /**
   * Stores a check in place of the one before.
   *
   * @throws InvalidError where it is of the future.
   * @throws ConflictError where a newer one is stored.
   */
  async publish(body: MoveBody, by: string): Promise<Move> {
    const { clock, moves } = this.#ports;
    const move = publishedMove(body, { at: clock.now(), by });
    if (!(await moves.replace(move))) throw new ConflictError('A newer check of the move is published already.');
    return move;
  }

  /** Where no check is stored, nothing changes. */
  remove(): Promise<void> {
    return this.#ports.moves.remove();
  }
}
