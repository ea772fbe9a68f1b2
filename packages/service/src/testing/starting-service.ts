import { once } from 'node:events';
import { runService } from '../run-service.ts';
import { serviceConfig } from '../service-config.ts';

/** A service as a process of its own that gets SIGTERM while one of its parts starts. It needs neither Kafka nor MongoDB. */
await runService({
  name: 'notifier',
  config: serviceConfig({}),
  indexes: [],
  compose: async ({ lifecycle }) => {
    await lifecycle.start(
      'slow part',
      async () => {
        const stopped = once(process, 'SIGTERM');
        process.kill(process.pid, 'SIGTERM');
        await stopped;
      },
      () => undefined,
    );
  },
});
