/**
 * A service as a process of its own with a task that never ends, not even after its abort. It takes its settings from the
 * environment, and needs neither Kafka nor MongoDB.
 */
import { runService } from '../run-service.ts';
import { serviceConfig } from '../service-config.ts';

await runService({
  name: 'directory',
  config: serviceConfig({}),
  indexes: [],
  compose: (context) => {
    context.tasks.add({
      name: 'work',
      everyMs: 1_000,
      timeoutMs: 100,
      activate: () => new Promise<void>(() => undefined),
    });
    return Promise.resolve();
  },
});
