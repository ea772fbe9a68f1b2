import { setTimeout as pause } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';

/** What a double does with a request, beside taking it and saying so. */
export type Behaviour =
  /** Takes nothing and says so with this status. */
  | { readonly refuse: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Never answers; `after` it took the message, or without. */
  | { readonly hang: 'before' | 'after' }
  /** Closes the connection: without taking the message, or in the middle of the answer that it took it. */
  | { readonly close: 'before' | 'half-way' }
  /** Takes it, and answers late. */
  | { readonly answerAfterMs: number }
  /** Takes it, and answers with this instead of its own words. */
  | { readonly answer: { readonly status: number; readonly body: string } };

/** What a double says of a message that it took. */
export interface Said {
  readonly status: number;
  readonly body: string;
}

/** Does `behaviour` with one request; `take` is what it does with a message that it takes. */
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
