import { setTimeout as pause } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';

/** How a double handles a request, where it does not just accept it. */
export type Behaviour =
  /** Accepts nothing, and answers with this status. */
  | { readonly refuse: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Never answers; `after` it accepted the message, or without accepting it. */
  | { readonly hang: 'before' | 'after' }
  /** Closes the connection: without accepting the message, or in the middle of the answer that it accepted it. */
  | { readonly close: 'before' | 'half-way' }
  /** Accepts it, and answers late. */
  | { readonly answerAfterMs: number }
  /** Accepts it, and answers with this instead of its usual answer. */
  | { readonly answer: { readonly status: number; readonly body: string } };

/** The answer of a double about a message that it accepted. */
export interface Said {
  readonly status: number;
  readonly body: string;
}

/** Handles one request by `behaviour`; `take` accepts its message. */
export async function behave(
  response: ServerResponse,
  behaviour: Behaviour | undefined,
  take: () => Said,
): Promise<void> {
  if (behaviour === undefined) answer(response, take());
  else if ('refuse' in behaviour) {
    response.writeHead(behaviour.refuse, behaviour.headers).end(behaviour.body);
  } else if ('hang' in behaviour) {
    if (behaviour.hang === 'after') take();
  } else if ('close' in behaviour) {
    close(response, behaviour.close, take);
  } else if ('answer' in behaviour) {
    take();
    answer(response, behaviour.answer);
  } else {
    const said = take();
    await pause(behaviour.answerAfterMs);
    answer(response, said);
  }
}

function answer(response: ServerResponse, { status, body }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function close(response: ServerResponse, when: 'before' | 'half-way', take: () => Said): void {
  if (when === 'before') {
    response.destroy();
    return;
  }
  const { status, body } = take();
  response.writeHead(status, { 'content-length': body.length + 1 });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}
