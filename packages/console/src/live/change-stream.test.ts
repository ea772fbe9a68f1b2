import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { followChanges } from './change-stream.ts';

const originalFetch = globalThis.fetch;
let body: ReadableStreamDefaultController<Uint8Array>;
let noted: unknown[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  noted = [];
});

afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = originalFetch;
});

/** Answers as a browser does: an abort breaks the body. */
function answerStream(): void {
  globalThis.fetch = (_, init) => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        body = controller;
      },
    });
    init?.signal?.addEventListener('abort', () => {
      body.error(init.signal?.reason);
    });
    return Promise.resolve(new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }));
  };
}

function follow(signal: AbortSignal = new AbortController().signal): Promise<void> {
  return followChanges({
    signal,
    onReady: () => noted.push('ready'),
    onChanges: (changes) => noted.push(changes),
  });
}

const send = async (text: string) => {
  body.enqueue(new TextEncoder().encode(text));
  await jest.advanceTimersByTimeAsync(0);
};
/** With what a promise is rejected, from the first turn on. */
const failureOf = (promise: Promise<void>): Promise<unknown> =>
  promise.then(() => 'none').catch((error: unknown) => error);
const READY = 'retry: 5000\nevent: ready\ndata: {}\n\n';

describe('the stream of changes', () => {
  test('It says when it is ready and what changes, until the server ends it.', async () => {
    answerStream();
    const end = follow();
    await jest.advanceTimersByTimeAsync(0);
    await send(READY);
    await send(':\n\nevent: changes\ndata: {"alerts":"many"}\n\n');
    await send('event: something-new\ndata: {}\n\n');
    body.close();
    await end;

    expect(noted).toEqual(['ready', { alerts: 'many' }]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('It goes on for hours while comments come, and is broken after 35 s of silence.', async () => {
    answerStream();
    const end = follow();
    const broken = failureOf(end);
    await jest.advanceTimersByTimeAsync(0);
    for (let n = 0; n < 400; n += 1) {
      await send(':\n\n');
      await jest.advanceTimersByTimeAsync(34_999);
    }
    await send(READY);
    expect(noted).toEqual(['ready']);
    await jest.advanceTimersByTimeAsync(35_000);
    expect(await broken).toMatchObject({ failure: 'offline' });
  });

  test('A server that does not answer at all is silent too.', async () => {
    globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(init.signal?.reason as Error);
        });
      });
    const broken = failureOf(follow());
    await jest.advanceTimersByTimeAsync(35_000);
    expect(await broken).toMatchObject({ failure: 'offline' });
  });

  test.each([
    [401, 'ended', undefined],
    [429, 'throttled', 30],
    [503, 'unavailable', 1],
  ])('A refusal with %p is thrown, with the wait that it asks for.', async (status, failure, retryAfterSeconds) => {
    const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    globalThis.fetch = () => Promise.resolve(Response.json({ message: 'No.' }, { status, headers }));
    await expect(follow()).rejects.toMatchObject({ failure, retryAfterSeconds });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('It is closed by the signal, without a timer left.', async () => {
    answerStream();
    const leaving = new AbortController();
    const closed = failureOf(follow(leaving.signal));
    await jest.advanceTimersByTimeAsync(0);
    await send(READY);
    leaving.abort();
    expect(await closed).toMatchObject({ name: 'AbortError' });
    expect(jest.getTimerCount()).toBe(0);
  });
});
