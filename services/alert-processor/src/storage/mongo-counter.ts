import { collectionOf, type Connection } from '@tocsin/persistence';
import { COUNTERS } from './collections.ts';

interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

/** Takes `size` consecutive numbers that nobody got before, and returns the last. Unused numbers are gaps. */
export async function takeNumbers(
  connection: Connection,
  counter: 'tinyId' | 'attachmentId',
  size: number,
): Promise<number> {
  const taken = await collectionOf<CounterDocument>(connection, COUNTERS).findOneAndUpdate(
    { _id: counter },
    { $inc: { last: size } },
    { upsert: true, returnDocument: 'after' },
  );
  return taken?.last ?? size;
}
