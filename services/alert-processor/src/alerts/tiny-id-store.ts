import type { Connection } from '@tocsin/mongo';
import { takeNumbers } from '../database.ts';

/** The most numbers that a process takes from the counter for later use. */
const LARGEST_BLOCK = 256;

/**
 * One counter for the installation, from which a process takes blocks. The blocks grow with use, so that a busy process rarely asks.
 * Each number is used once; the unused numbers of a process that ends become gaps (A1).
 */
export class TinyIdStore {
  readonly #connection: Connection;
  #next = 1;
  #end = 0;
  #block = 1;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Reserves `count` (1 or more) consecutive numbers that were never given before. Returns the first. */

  async reserve(count: number): Promise<number> {
    if (this.#end - this.#next + 1 >= count) {
      this.#next += count;
      return this.#next - count;
    }
    const size = Math.max(count, this.#block);
    this.#block = Math.min(LARGEST_BLOCK, this.#block * 2);
    const end = await takeNumbers(this.#connection, 'tinyId', size);
    const first = end - size + 1;
    this.#keep(first + count, end);
    return first;
  }

  /** Keeps the longer of two blocks that were taken at the same time. */
  #keep(next: number, end: number): void {
    if (end - next <= this.#end - this.#next) return;
    this.#next = next;
    this.#end = end;
  }
}
