/**
 * A process of its own that settles two records and then waits to be killed, before anything is published. Arguments:
 * URI, database, topic. Prints a line after the commit.
 */
import { CheckpointTransactions, collectionOf, connectMongo } from '../index.ts';

const [uri = '', database = '', topic = ''] = process.argv.slice(2);
const connection = await connectMongo({ uri, database });
const records = [0, 1].map((offset) => ({
  offset,
  key: `k${offset}`,
  timestampMs: 1_000 + offset,
  value: `v${offset}`,
}));

await new CheckpointTransactions({ connection }).process(
  [{ topic, partition: 3, clusterId: 'c1', records }],
  async (session) => {
    const effects = collectionOf<{ _id: string; times: number }>(connection, 'effects');
    await effects.insertMany(
      records.map(({ value }) => ({ _id: value, times: 1 })),
      { session },
    );
  },
);
process.stdout.write('committed\n');
setInterval(() => undefined, 1_000);
