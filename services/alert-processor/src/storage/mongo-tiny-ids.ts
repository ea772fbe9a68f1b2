import { collectionOf, type Connection } from '@tocsin/persistence';
import type { TinyIds } from '../ports/tiny-ids.ts';
import { COUNTERS } from './collections.ts';

interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

/** One counter for the installation. Numbers of a batch that fails, or only repeats, are never given again (A1). */
export class MongoTinyIds implements TinyIds {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async reserve(count: number): Promise<number> {
    const counter = await collectionOf<CounterDocument>(this.#connection, COUNTERS).findOneAndUpdate(
      { _id: 'tinyId' },
      { $inc: { last: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.last ?? count) - count + 1;
  }
}
