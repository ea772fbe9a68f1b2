import type { ServerResponse } from 'node:http';
import type { Operation } from '@tocsin/api';

/** What an answer depends on: its operation, or the word for a path that has none. */
type HandledOperation = Readonly<{ id: string; refusalForm?: Operation['refusalForm'] }>;

const operations = new WeakMap<ServerResponse, HandledOperation>();

const begun = new WeakMap<ServerResponse, number>();

/** Notes, for metrics, that the answer is a stream that has begun now: how long it goes on says nothing of the service. */
export function noteStreamBegan(response: ServerResponse): void {
  begun.set(response, performance.now());
}

/** When the answer was given, by `performance.now()`: at the beginning of a stream, else now. */
export function answeredAtMs(response: ServerResponse): number {
  return begun.get(response) ?? performance.now();
}

/** Notes, for metrics and for the form of a refusal, which operation a response answers. */
export function noteOperation(response: ServerResponse, operation: HandledOperation): void {
  operations.set(response, operation);
}

/** The id of the operation that `response` answers; `none` for an undocumented path, so that metrics have few labels. */
export function handledOperation(response: ServerResponse): string {
  return operations.get(response)?.id ?? 'none';
}

/** The form in which the operation that `response` answers refuses. */
export function refusalFormOf(response: ServerResponse): Operation['refusalForm'] {
  return operations.get(response)?.refusalForm;
}
