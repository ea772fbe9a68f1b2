import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION, type Metrics } from './observability/index.ts';
import type { Health } from './health.ts';
import type { TaskRunner } from './tasks/task-runner.ts';

/** The parts of the admin port. */
export interface AdminParts {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly tasks: Pick<TaskRunner, 'statuses'>;
}

/**
 * Answers `/livez` (the process runs, in which version), `/readyz` (it takes work; else 503 and what is missing), `/metrics`, and `/tasks` (JSON: the
 * state of each task of the process).
 */
export function adminListener(parts: AdminParts) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request.url ?? '/', parts).then(
      ({ status, contentType, body }) => {
        response.writeHead(status, { 'content-type': contentType }).end(body);
      },
      () => {
        response.writeHead(500).end();
      },
    );
  };
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

async function answer(url: string, { health, metrics, tasks }: AdminParts): Promise<Answer> {
  const [path] = url.split('?', 1);
  switch (path ?? '') {
    case '/livez':
      return plain(200, `ok, version ${VERSION}\n`);
    case '/readyz': {
      const missing = await health.missing();
      return missing.length === 0 ? plain(200, 'ready\n') : plain(503, `not ready: ${missing.join(', ')}\n`);
    }
    case '/metrics':
      metrics.ready((await health.missing()).length === 0);
      return { status: 200, ...(await metrics.text()) };
    case '/tasks':
      return {
        status: 200,
        contentType: 'application/json; charset=utf-8',
        body: JSON.stringify({ tasks: await tasks.statuses() }, undefined, 2),
      };
    default:
      return plain(404, 'try /livez, /readyz, /metrics or /tasks\n');
  }
}

const plain = (status: number, body: string): Answer => ({ status, contentType: 'text/plain; charset=utf-8', body });
