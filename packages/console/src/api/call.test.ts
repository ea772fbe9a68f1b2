import { afterEach, describe, expect, test } from '@jest/globals';
import { bodyOf, call } from './call.ts';

/** A body that ends with `error` after its first bytes. */
const broken = (error: unknown) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"data": ['));
      controller.error(error);
    },
  });

describe('the body of an answer', () => {
  test('It is the result of the call.', async () => {
    expect(await bodyOf(Response.json({ data: [1] }))).toEqual({ data: [1] });
  });

  test.each([broken(new TypeError('network error')), '{"data": [', ''])(
    'One that breaks off is a call without an answer, also after a status that is a success: %p.',
    async (body) => {
      await expect(bodyOf(new Response(body, { status: 200 }))).rejects.toMatchObject({ failure: 'offline' });
    },
  );

  test('A refusal stays a refusal where its body breaks off.', async () => {
    const refused = new Response(broken(new TypeError('network error')), {
      status: 429,
      headers: { 'Retry-After': '7' },
    });

    await expect(bodyOf(refused)).rejects.toMatchObject({ failure: 'throttled', retryAfterSeconds: 7 });
  });

  test('A call that the page cancelled stays cancelled.', async () => {
    const cancelled = broken(new DOMException('cancelled', 'AbortError'));

    await expect(bodyOf(new Response(cancelled))).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a call that the server does again each time that it is sent', () => {
  const originalFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = originalFetch;
  });
  /** The failure of a write that is answered with the status, or with nothing at 0. */
  const failure = (status: number, isDoneEachTime: boolean) => {
    globalThis.fetch = () =>
      status === 0 ? Promise.reject(new TypeError('network error')) : Promise.resolve(Response.json({}, { status }));
    return call({ method: 'POST', path: '/v2/alerts', body: {}, isDoneEachTime }).catch((error: unknown) => error);
  };

  test.each([0, 500, 502, 504])('It can have been accepted where it ends with %p.', async (status) => {
    expect(await failure(status, true)).toMatchObject({ status, mayBeAccepted: true });
    expect(await failure(status, false)).toMatchObject({ status, mayBeAccepted: false });
  });

  test.each([400, 401, 403, 404, 409, 422, 429, 503])(
    'It was not accepted where it is refused with %p.',
    async (status) => {
      expect(await failure(status, true)).toMatchObject({ status, mayBeAccepted: false });
    },
  );
});
