/**
 * A service as a process of its own that answers every request after a moment, so that a test can stop it while it is asked.
 * It takes its settings from the environment, and needs neither Kafka nor MongoDB.
 */
import { runService } from '../run-service.ts';
import { serve } from '../parts/http.ts';
import { serviceConfig } from '../service-config.ts';

const ANSWER_MS = 50;

await runService({
  name: 'directory',
  config: serviceConfig({}),
  indexes: [],
  compose: async (context) => {
    await serve(context, (_request, response) => {
      setTimeout(() => {
        response.end('answered');
      }, ANSWER_MS);
    });
  },
});
