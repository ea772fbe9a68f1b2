import type { ServerResponse } from 'node:http';

const operations = new WeakMap<ServerResponse, string>();

/** Notes for the metrics which operation a response answers. */
export function noteOperation(response: ServerResponse, operationId: string): void {
  operations.set(response, operationId);
}

/** The id of the operation that `response` answers; `none` where no documented path was met, so that labels stay few. */
export function handledOperation(response: ServerResponse): string {
  return operations.get(response) ?? 'none';
}
