/**
 * A process of its own that commits outbox rows and publishes them to its standard output, and is then killed before it
 * can delete them. Arguments: URI, database, how many.
 */
import { defineTopic } from '@tocsin/events';
import { z } from 'zod';
import { connectMongo, inTransaction, Outbox } from '../index.ts';

const [uri = '', database = '', count = ''] = process.argv.slice(2);
const connection = await connectMongo({ uri, database });
const topic = defineTopic({ name: 'facts.v1', kind: 'events', schema: z.string(), key: (message) => message });
const outbox = new Outbox({
  connection,
  topics: [topic],
  logger: { warn: () => undefined, error: () => undefined },
  publisher: {
    publish: async (_, messages) => {
      process.stdout.write(`${JSON.stringify(messages)}\n`);
      await new Promise<never>(() => undefined);
    },
  },
});
const facts = Array.from({ length: Number(count) }, (_, index) => `fact ${index}`);
await inTransaction(connection, (session) => outbox.add(session, topic, facts));
setInterval(() => undefined, 1_000);
await outbox.flush();
