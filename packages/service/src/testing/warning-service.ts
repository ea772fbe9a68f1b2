/** A service as a process of its own that warns of things at its start, and then ends itself. It asks neither Kafka nor MongoDB. */
import { runService } from '../run-service.ts';
import { serviceConfig } from '../service-config.ts';

await runService({
  name: 'directory',
  config: serviceConfig({}),
  indexes: [],
  compose: () => {
    process.emitWarning('There is no time zone [Mars/Base].', 'UnknownTimeZone');
    process.emitWarning('not to be logged', 'Unwanted');
    setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    return Promise.resolve();
  },
});
