import type { ServerResponse } from 'node:http';

const operations = new WeakMap<ServerResponse, string>();

const begun = new WeakMap<ServerResponse, number>();

/** Notes, for metrics, that the answer is a stream that has begun now: how long it goes on says nothing of the service. */
export function noteStreamBegan(response: ServerResponse): void {
  begun.set(response, performance.now());
}

/** When the answer was given, by `performance.now()`: at the beginning of a stream, else now. */
export function answeredAtMs(response: ServerResponse): number {
  return begun.get(response) ?? performance.now();
}

/** Notes, for metrics, which operation a response answers. */
export function noteOperation(response: ServerResponse, operationId: string): void {
  operations.set(response, operationId);
}

/** The id of the operation that `response` answers; `none` for an undocumented path, so that metrics have few labels. */
export function handledOperation(response: ServerResponse): string {
  return operations.get(response) ?? 'none';
}
