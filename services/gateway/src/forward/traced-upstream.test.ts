import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { SpanOptions } from '@tocsin/service';
import type { ClientResponse } from './exchange.ts';
import { TracedUpstream } from './traced-upstream.ts';
import type { ForwardedRequest } from './upstream.ts';

const REQUEST = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const CALL = `00-${'a'.repeat(32)}-${'c'.repeat(16)}-01`;
const post: ForwardedRequest = {
  method: 'POST',
  target: '/v2/alerts?apiKey=secret',
  headers: ['accept', '*/*'],
  body: undefined,
  poolKind: 'short',
  isRead: false,
  caller: 'one',
};
const answered = { response: { statusCode: 202 } } as unknown as ClientResponse;

function forwarding({ current, failure }: { readonly current?: string; readonly failure?: Error }) {
  const forwarded: ForwardedRequest[] = [];
  const begun: (SpanOptions & { readonly name: string })[] = [];
  const ends: (string | undefined)[] = [];
  const upstream = new TracedUpstream({
    service: 'alert-ingest',
    upstream: {
      check: () => undefined,
      isFull: () => false,
      forward: (request) => {
        forwarded.push(request);
        return failure === undefined ? Promise.resolve() : Promise.reject(failure);
      },
    },
    tracer: {
      current: () => current,
      begin: (name, options) => {
        if (options.parent === undefined) return undefined;
        begun.push({ name, ...options });
        const end = (how?: string) => void ends.push(how);
        return { context: CALL, rename: () => undefined, set: () => undefined, end };
      },
    },
  });
  return { upstream, forwarded, begun, ends };
}

describe('a request that the gateway passes on', () => {
  it('names the call as its trace where it is sampled', async () => {
    const { begun, ends, forwarded, upstream } = forwarding({ current: REQUEST });
    await upstream.forward(post, answered);
    expect(forwarded).toEqual([{ ...post, headers: ['accept', '*/*', 'traceparent', CALL] }]);
    expect(begun).toMatchObject([{ name: 'POST alert-ingest', kind: 'client', parent: REQUEST }]);
    expect(JSON.stringify(begun)).not.toContain('secret');
    expect(ends).toEqual([undefined]);
  });

  it('goes as it came where it is not', async () => {
    const { begun, forwarded, upstream } = forwarding({});
    await upstream.forward(post, answered);
    expect(forwarded).toEqual([post]);
    expect(begun).toEqual([]);
  });

  it('fails with the error of the request, and has its code', async () => {
    const failure = new UnavailableError('A service is unavailable: ada@example.com');
    const { ends, upstream } = forwarding({ current: REQUEST, failure });
    await expect(upstream.forward(post, answered)).rejects.toBe(failure);
    expect(ends).toEqual(['unavailable']);
  });
});
