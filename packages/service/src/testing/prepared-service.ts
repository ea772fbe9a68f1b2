/** A service as a process of its own that needs nothing but its database. It takes its settings from the environment. */
import { openMongo } from '../parts/mongo.ts';
import { runService } from '../run-service.ts';
import { serviceConfig } from '../service-config.ts';

const INDEXES = [{ collection: 'people', keys: { name: 1 }, serves: 'tests' }] as const;

await runService({
  name: 'directory',
  config: serviceConfig({}),
  indexes: INDEXES,
  compose: async (context) => {
    await openMongo(context, INDEXES);
  },
});
