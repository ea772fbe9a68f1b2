import { describe, expect, test } from '@jest/globals';
import { bodyOf } from './call.ts';

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
