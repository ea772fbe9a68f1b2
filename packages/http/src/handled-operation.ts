import type { ServerResponse } from 'node:http';

const operations = new WeakMap<ServerResponse, string>();

/** Notes, for metrics, which operation a response answers. */
export function noteOperation(response: ServerResponse, operationId: string): void {
  operations.set(response, operationId);
}

/** The id of the operation that `response` answers; `none` for an undocumented path, so that metrics have few labels. */
export function handledOperation(response: ServerResponse): string {
  return operations.get(response) ?? 'none';
}
