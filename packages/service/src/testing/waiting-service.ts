/** A service as a process of its own that waits for a line of input between its database and its outbox, as others wait for Kafka. */
import { once } from 'node:events';
import { openMongo } from '../parts/mongo.ts';
import { openOutbox } from '../parts/outbox.ts';
import { runService } from '../run-service.ts';
import { serviceConfig } from '../service-config.ts';

await runService({
  name: 'directory',
  config: serviceConfig({}),
  indexes: [],
  compose: async (context) => {
    const connection = await openMongo(context, []);
    context.logger.info({}, 'the database is opened');
    await once(process.stdin, 'data');
    const publisher = {
      publishAll: () => Promise.reject(new Error('This service has no topic.')),
    };
    await openOutbox(context, connection, publisher as never, []);
  },
});
